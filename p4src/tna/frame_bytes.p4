// TNA's ingress does not know a packet's length, so it is that of the IP packet and what stands before
// it, Ethernet's header and VLAN tags, and what a frame takes of the wire beside itself: added here,
// in the entries, where that takes no stage. The least frame has 60 bytes without FCS; one that is not
// IP is taken for such a frame. Headers may lie: wire_bytes.p4 bounds what comes of it.
#ifndef TNA_FRAME_BYTES_P4
#define TNA_FRAME_BYTES_P4

#include "headers.p4"

// FCS, preamble with its delimiter, and the least gap between frames (IEEE 802.3).
const claimed_bytes_t WIRE_OVERHEAD_BYTES = 24;
const claimed_bytes_t LEAST_WIRE_BYTES = 84;

control FrameBytes(in headers_t hdr, inout claimed_bytes_t bytes) {
    action of_ipv4(claimed_bytes_t before) { bytes = hdr.ipv4.total_len |+| before; }
    action of_ipv6(claimed_bytes_t before) { bytes = hdr.ipv6.payload_bytes |+| before; }
    action of_others() { bytes = LEAST_WIRE_BYTES; }
    action at_least() { bytes = max(bytes, LEAST_WIRE_BYTES); }

    // What stands before the bytes that the header counts: of IPv6 its own 40, too. Hidden, because
    // clients of P4Runtime confuse keys that are all called $valid$.
    @hidden
    table measure {
        key = {
            hdr.ipv4.isValid(): exact;
            hdr.ipv6.isValid(): exact;
            hdr.outer_tag.isValid(): exact;
            hdr.inner_tag.isValid(): exact;
        }
        actions = { of_ipv4; of_ipv6; of_others; }
        const entries = {
            (true, false, false, false): of_ipv4(14 + WIRE_OVERHEAD_BYTES);
            (true, false, true, false): of_ipv4(18 + WIRE_OVERHEAD_BYTES);
            (true, false, true, true): of_ipv4(22 + WIRE_OVERHEAD_BYTES);
            (false, true, false, false): of_ipv6(54 + WIRE_OVERHEAD_BYTES);
            (false, true, true, false): of_ipv6(58 + WIRE_OVERHEAD_BYTES);
            (false, true, true, true): of_ipv6(62 + WIRE_OVERHEAD_BYTES);
        }
        const default_action = of_others();
        size = 8;
    }

    apply {
        measure.apply();
        at_least();
    }
}

#endif

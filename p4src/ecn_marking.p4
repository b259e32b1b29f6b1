// Explicit Congestion Notification (RFC 3168) at the queue limit: where the port's register says so,
// a packet that the limit would turn away is marked and admitted, if its sender understands that.
//
// Senders answer a mark one round trip later, and a sender that never does would fill any memory.
// So the queue grows to twice the limit at most; beyond it everything is dropped (RFC 3168,
// section 7). An IPv4 header with options is not marked: its checksum cannot be renewed.
//
// Senders that set ECT(1) expect marks from a short queue, and answer each by a little (RFC 9331): from a
// limit that is there to be filled these would come too late, and leave others nothing. They are
// dropped from, which they answer as others do; RFC 8311 lets the two codepoints differ.
#ifndef ECN_MARKING_P4
#define ECN_MARKING_P4

#include "headers.p4"
#include "registers.p4"

// Set in ECT(0), of senders that take a mark for a drop, and in what has been marked.
const traffic_class_t ECN_CLASSIC = 0x02;

// Runs where backlog_bytes, the packet included, are more than the limit. A packet that comes marked
// stays so, and counts like the others.
control EcnMarking(inout headers_t hdr,
                   in port_index_t port,
                   in byte_count_t frame_bytes,
                   in byte_count_t backlog_bytes,
                   in byte_count_t limit,
                   out bool turned_away) {
    apply {
        ecn_marking_t marking;
        byte_count_t marked;
        turned_away = true;
        ecn_marking.read(marking, port);
        // No sum of limits: twice the largest one would not fit.
        if (marking != 0 && backlog_bytes - limit <= limit) {
            if (hdr.ipv4.isValid() && hdr.ipv4.ihl == 5) {
                if (hdr.ipv4.traffic_class & ECN_CLASSIC != 0) {
                    hdr.ipv4.traffic_class = hdr.ipv4.traffic_class | ECN_CONGESTION_EXPERIENCED;
                    turned_away = false;
                }
            } else if (hdr.ipv6.isValid()) {
                if (hdr.ipv6.traffic_class & ECN_CLASSIC != 0) {
                    hdr.ipv6.traffic_class = hdr.ipv6.traffic_class | ECN_CONGESTION_EXPERIENCED;
                    turned_away = false;
                }
            }
        }
        if (!turned_away) {
            marked_bytes.read(marked, port);
            marked_bytes.write(port, marked + frame_bytes);
        }
    }
}

#endif

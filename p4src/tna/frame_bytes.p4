// TNA's ingress does not know a packet's length, so it is that of the IP packet and its Ethernet
// header. The least frame has 60 bytes without FCS; one that is not IP is taken for such a frame.
#ifndef TNA_FRAME_BYTES_P4
#define TNA_FRAME_BYTES_P4

#include "headers.p4"

const bit<16> ETHERNET_HEADER_BYTES = 14;
const bit<16> IPV6_FRAME_HEADER_BYTES = 54;
const bit<16> LEAST_FRAME_BYTES = 60;

control FrameBytes(in headers_t hdr, inout bytes_t frame_bytes) {
    // By way of the hash unit: no other takes 16 bits to a word of 32.
    Hash<bytes_t>(HashAlgorithm_t.IDENTITY) wide;
    bit<16> bytes;

    action of_ipv4() { bytes = hdr.ipv4.total_bytes + ETHERNET_HEADER_BYTES; }
    action of_ipv6() { bytes = hdr.ipv6.payload_bytes + IPV6_FRAME_HEADER_BYTES; }
    action of_others() { bytes = LEAST_FRAME_BYTES; }
    action at_least() { bytes = max(bytes, LEAST_FRAME_BYTES); }
    action widen() { frame_bytes = wide.get(bytes); }

    apply {
        if (hdr.ipv4.isValid()) {
            of_ipv4();
        } else if (hdr.ipv6.isValid()) {
            of_ipv6();
        } else {
            of_others();
        }
        at_least();
        widen();
    }
}

#endif

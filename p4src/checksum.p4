// The IPv4 header checksum. Options stay in the payload, so a header that has them is neither
// verified nor updated; forwarding.p4 does not route such packets.
#ifndef CHECKSUM_P4
#define CHECKSUM_P4

#include "headers.p4"

#define IPV4_CHECKSUM_FIELDS { \
    hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.traffic_class, hdr.ipv4.total_len, \
    hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragment_offset, \
    hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.source, hdr.ipv4.destination }

control AbsVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5,
                        IPV4_CHECKSUM_FIELDS, hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control AbsComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid() && hdr.ipv4.ihl == 5,
                        IPV4_CHECKSUM_FIELDS, hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

#endif

// Marks packets that the limit would turn away, in their IP header. IPv4 headers with options are not marked,
// because their checksum cannot be updated (checksum.p4).
#ifndef MARK_FRAME_P4
#define MARK_FRAME_P4

#include "adaptive/ecn_marking.p4"
#include "headers.p4"

control MarkFrame(inout headers_t hdr, inout admission_t admission) {
    EcnMarking() mark;

    apply {
        if (hdr.ipv4.isValid() && hdr.ipv4.ihl == 5) {
            mark.apply(hdr.ipv4.traffic_class[1:0], admission);
        } else if (hdr.ipv6.isValid()) {
            mark.apply(hdr.ipv6.traffic_class[1:0], admission);
        }
    }
}

#endif

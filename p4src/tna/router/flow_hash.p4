// What keeps the packets of a flow on one of several ways of equal cost.
#ifndef TNA_ROUTER_FLOW_HASH_P4
#define TNA_ROUTER_FLOW_HASH_P4

#include "headers.p4"

control FlowHash(in headers_t hdr, inout flow_hash_t flow_hash) {
    Hash<flow_hash_t>(HashAlgorithm_t.CRC16) of_ipv4;
    Hash<flow_hash_t>(HashAlgorithm_t.CRC16) of_ipv6;

    action hash_ipv4() {
        flow_hash = of_ipv4.get({ hdr.ipv4.source, hdr.ipv4.destination, hdr.ipv4.protocol,
                                  hdr.transport.source_port, hdr.transport.destination_port });
    }

    action hash_ipv6() {
        flow_hash = of_ipv6.get({ hdr.ipv6.source, hdr.ipv6.destination, hdr.ipv6.next_header,
                                  hdr.transport.source_port, hdr.transport.destination_port });
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4();
        } else if (hdr.ipv6.isValid()) {
            hash_ipv6();
        }
    }
}

#endif

// What a routed frame leaves with: the addresses of its way to the neighbour, and one hop less. A
// refused one is counted. After the queue, so that no stage in front of it waits for this.
#ifndef TNA_ROUTER_REWRITING_P4
#define TNA_ROUTER_REWRITING_P4

#include "headers.p4"
#include "table_sizes.p4"

control Rewriting(inout headers_t hdr, in metadata_t meta, in port_t ingress_port) {
    DirectCounter<bit<64>>(CounterType_t.PACKETS_AND_BYTES) neighbour_traffic;
    Counter<bit<64>, port_t>(PORT_COUNT, CounterType_t.PACKETS_AND_BYTES) refused_packets;

    action of_ipv4(mac_address_t source, mac_address_t destination) {
        neighbour_traffic.count();
        hdr.ethernet.source = source;
        hdr.ethernet.destination = destination;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    action of_ipv6(mac_address_t source, mac_address_t destination) {
        neighbour_traffic.count();
        hdr.ethernet.source = source;
        hdr.ethernet.destination = destination;
        hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
    }

    action keep() { neighbour_traffic.count(); }

    table neighbour {
        key = { meta.neighbour: exact; }
        actions = { of_ipv4; of_ipv6; @defaultonly keep; }
        const default_action = keep();
        counters = neighbour_traffic;
        size = NEIGHBOURS;
    }

    apply {
        if (meta.forwarded) {
            neighbour.apply();
        } else {
            refused_packets.count(ingress_port);
        }
    }
}

#endif

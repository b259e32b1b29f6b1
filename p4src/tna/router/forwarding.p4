// A router's lookups in the place of ../../forwarding.p4, for ../ingress.p4 or alone: what is addressed
// to one of its own stations, and let in by the access list, goes to its next hop. A tagged frame goes
// nowhere: no VLAN has an interface here.
#define FORWARDING_P4

#include "headers.p4"
#include "routes.p4"
#include "access_list.p4"
#include "flow_hash.p4"
#include "next_hop.p4"

control Forwarding(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    Ipv4Routes() ipv4_routes;
    Ipv6Routes() ipv6_routes;
    AccessList() access_list;
    FlowHash() flow_hash;
    NextHop() next_hop;
    Counter<bit<64>, port_t>(PORT_COUNT, CounterType_t.PACKETS_AND_BYTES) interface_traffic;

    action accept() { meta.for_router = true; }
    action ignore() { }

    table router_station {
        key = { hdr.ethernet.destination: exact; meta.interface.vrf: exact; }
        actions = { accept; @defaultonly ignore; }
        const default_action = ignore();
        size = ROUTER_STATIONS;
    }

    apply {
        interface_traffic.count(standard_metadata.ingress_port);
        router_station.apply();
        flow_hash.apply(hdr, meta.flow_hash);
        access_list.apply(hdr, meta.interface.access_label, meta.denied);
        if (hdr.ipv4.isValid() && hdr.ipv4.ttl > 1) {
            ipv4_routes.apply(hdr.ipv4.destination, meta.interface.vrf, meta.next_hop);
        } else if (hdr.ipv6.isValid() && hdr.ipv6.hop_limit > 1) {
            ipv6_routes.apply(hdr.ipv6.destination, meta.interface.vrf, meta.next_hop);
        }
        if (meta.for_router && !hdr.outer_tag.isValid() && !meta.denied && standard_metadata.checksum_error == 0) {
            next_hop.apply(meta, standard_metadata.egress_spec);
        }
    }
}

// Where a packet goes. A frame for a known station is switched as it is, with its tags; any other IP
// packet is routed: new MAC addresses, one hop less. The rest is refused and counted by ingress port.
//
// A tagged packet is not routed. Its tag names a network that the routes know nothing of: without a
// router's subinterfaces it would come out in another one, with a tag or without.
#ifndef FORWARDING_P4
#define FORWARDING_P4

#include "headers.p4"
#include "table_sizes.p4"

control Forwarding(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    @id(0x12000001)
    counter(PORT_COUNT, CounterType.packets_and_bytes) refused_packets;

    @id(0x01000001)
    action refuse() {
        meta.forwarded = false;
    }

    @id(0x01000002)
    action forward(port_t port) {
        standard_metadata.egress_spec = port;
        meta.forwarded = true;
    }

    @id(0x01000003)
    action route_ipv4(port_t port, mac_address_t source, mac_address_t destination) {
        forward(port);
        hdr.ethernet.source = source;
        hdr.ethernet.destination = destination;
        hdr.ipv4.time_to_live = hdr.ipv4.time_to_live - 1;
    }

    @id(0x01000004)
    action route_ipv6(port_t port, mac_address_t source, mac_address_t destination) {
        forward(port);
        hdr.ethernet.source = source;
        hdr.ethernet.destination = destination;
        hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
    }

    @id(0x02000001)
    table ethernet_forward {
        key = { hdr.ethernet.destination: exact; }
        actions = { forward; @defaultonly refuse; }
        const default_action = refuse();
        size = ETHERNET_FORWARD_MINIMUM_ENTRIES;
    }

    @id(0x02000002)
    table ipv4_route {
        key = { hdr.ipv4.destination: lpm; }
        actions = { route_ipv4; @defaultonly refuse; }
        const default_action = refuse();
        size = IPV4_ROUTE_MINIMUM_ENTRIES;
    }

    @id(0x02000003)
    table ipv6_route {
        key = { hdr.ipv6.destination: lpm; }
        actions = { route_ipv6; @defaultonly refuse; }
        const default_action = refuse();
        size = IPV6_ROUTE_MINIMUM_ENTRIES;
    }

    apply {
        meta.forwarded = false;
        if (standard_metadata.parser_error == error.NoError
            && standard_metadata.checksum_error == 0) {
            if (!ethernet_forward.apply().hit) {
                if (!hdr.outer_tag.isValid()) {
                    // Options are not parsed, so the checksum of such a header cannot be renewed.
                    if (hdr.ipv4.isValid() && hdr.ipv4.header_words == 5
                        && hdr.ipv4.time_to_live > 1) {
                        ipv4_route.apply();
                    } else if (hdr.ipv6.isValid() && hdr.ipv6.hop_limit > 1) {
                        ipv6_route.apply();
                    }
                }
            }
        }
        if (!meta.forwarded) {
            refused_packets.count((bit<32>)standard_metadata.ingress_port);
            mark_to_drop(standard_metadata);
        }
    }
}

#endif

// Where a packet goes. A frame for a known station is switched as it is, with its tags; any other IP
// packet is routed: new MAC addresses, one hop less. The rest is refused and counted by ingress port.
//
// Addresses that no router forwards from or to are in martians.p4. A packet whose time to live ends here
// is refused, too: an entry of the trap table brings it to a controller.
//
// A tagged packet is not routed. Its tag names a network that the routes know nothing of: without a
// router's subinterfaces it would come out in another one, with a tag or without.
#ifndef FORWARDING_P4
#define FORWARDING_P4

#include "headers.p4"
#include "ids.p4"
#include "martians.p4"
#include "table_sizes.p4"

control Forwarding(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    Martians() martians;

    @id(REFUSED_PACKETS_COUNTER_ID) @p4runtime_role(ROLE_FORWARDING)
    counter(PORT_COUNT, CounterType.packets_and_bytes) refused_packets;

    @id(REFUSE_ACTION_ID)
    action refuse() {
        meta.forwarded = false;
    }

    @id(FORWARD_ACTION_ID)
    @action_restriction("port < 510;")  // neither the controller's port nor what drops
    action forward(@id(1) port_t port) {
        standard_metadata.egress_spec = port;
        meta.forwarded = true;
    }

    @id(ROUTE_IPV4_ACTION_ID)
    @action_restriction("port < 510;")
    action route_ipv4(@id(1) port_t port,
                      @id(2) @name("src_mac") @format(MAC_ADDRESS) mac_address_t source,
                      @id(3) @name("dst_mac") @format(MAC_ADDRESS) mac_address_t destination) {
        forward(port);
        hdr.ethernet.source = source;
        hdr.ethernet.destination = destination;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    @id(ROUTE_IPV6_ACTION_ID)
    @action_restriction("port < 510;")
    action route_ipv6(@id(1) port_t port,
                      @id(2) @name("src_mac") @format(MAC_ADDRESS) mac_address_t source,
                      @id(3) @name("dst_mac") @format(MAC_ADDRESS) mac_address_t destination) {
        forward(port);
        hdr.ethernet.source = source;
        hdr.ethernet.destination = destination;
        hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
    }

    @id(ETHERNET_FORWARD_TABLE_ID) @p4runtime_role(ROLE_FORWARDING)
    table ethernet_forward {
        key = { hdr.ethernet.destination: exact @id(1) @name("dst_mac") @format(MAC_ADDRESS); }
        actions = { @proto_id(1) forward; @defaultonly @proto_id(2) refuse; }
        const default_action = refuse();
        size = ETHERNET_FORWARD_MINIMUM_ENTRIES;
    }

    // Multicast addresses and those above have no route.
    @id(IPV4_ROUTE_TABLE_ID) @p4runtime_role(ROLE_FORWARDING)
    @entry_restriction("ipv4_dst::value < 0xe0000000;")
    table ipv4_route {
        key = { hdr.ipv4.destination: lpm @id(1) @name("ipv4_dst") @format(IPV4_ADDRESS); }
        actions = { @proto_id(1) route_ipv4; @defaultonly @proto_id(2) refuse; }
        const default_action = refuse();
        size = IPV4_ROUTE_MINIMUM_ENTRIES;
    }

    @id(IPV6_ROUTE_TABLE_ID) @p4runtime_role(ROLE_FORWARDING)
    @entry_restriction("ipv6_dst::value < 0xff000000000000000000000000000000;")
    table ipv6_route {
        key = { hdr.ipv6.destination: lpm @id(1) @name("ipv6_dst") @format(IPV6_ADDRESS); }
        actions = { @proto_id(1) route_ipv6; @defaultonly @proto_id(2) refuse; }
        const default_action = refuse();
        size = IPV6_ROUTE_MINIMUM_ENTRIES;
    }

    // meta.forwarded comes in false.
    apply {
        if (standard_metadata.parser_error == error.NoError
            && standard_metadata.checksum_error == 0) {
            if (!ethernet_forward.apply().hit) {
                bool is_martian;
                martians.apply(hdr, standard_metadata.ingress_port, is_martian);
                if (!hdr.outer_tag.isValid() && !is_martian) {
                    // Options are not parsed, so the checksum of such a header cannot be renewed.
                    if (hdr.ipv4.isValid() && hdr.ipv4.ihl == 5
                        && hdr.ipv4.ttl > 1) {
                        ipv4_route.apply();
                    } else if (hdr.ipv6.isValid() && hdr.ipv6.hop_limit > 1) {
                        ipv6_route.apply();
                    }
                }
            }
        }
        // What a controller gets instead is not refused.
        if (!meta.forwarded && !hdr.packet_in.isValid()) {
            refused_packets.count((bit<32>)standard_metadata.ingress_port);
            mark_to_drop(standard_metadata);
        }
    }
}

#endif

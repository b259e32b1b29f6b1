// Where an address is: a host's own entry, else its longest prefix. Next hop 0: nowhere.
#ifndef TNA_ROUTER_ROUTES_P4
#define TNA_ROUTER_ROUTES_P4

#include "headers.p4"
#include "table_sizes.p4"

control Ipv4Routes(in ipv4_address_t destination, in vrf_t vrf, inout next_hop_t next_hop) {
    Alpm(number_partitions = IPV4_ROUTE_PARTITIONS, subtrees_per_partition = 2) prefixes;

    action to(next_hop_t id) { next_hop = id; }
    action nowhere() { next_hop = 0; }

    table ipv4_host {
        key = { vrf: exact; destination: exact; }
        actions = { to; @defaultonly nowhere; }
        const default_action = nowhere();
        size = IPV4_HOST_ENTRIES;
    }

    table ipv4_route {
        key = { vrf: exact; destination: lpm; }
        actions = { to; @defaultonly nowhere; }
        const default_action = nowhere();
        size = IPV4_ROUTE_ENTRIES;
        implementation = prefixes;
    }

    apply {
        if (!ipv4_host.apply().hit) {
            ipv4_route.apply();
        }
    }
}

// Prefixes of more than 64 bits are few, so they alone take wide ternary entries.
control Ipv6Routes(in ipv6_address_t destination, in vrf_t vrf, inout next_hop_t next_hop) {
    Alpm(number_partitions = IPV6_ROUTE_PARTITIONS, subtrees_per_partition = 2) prefixes;

    action to(next_hop_t id) { next_hop = id; }
    action nowhere() { next_hop = 0; }

    table ipv6_host {
        key = { vrf: exact; destination: exact; }
        actions = { to; @defaultonly nowhere; }
        const default_action = nowhere();
        size = IPV6_HOST_ENTRIES;
    }

    table ipv6_long_route {
        key = { vrf: exact; destination: lpm; }
        actions = { to; @defaultonly nowhere; }
        const default_action = nowhere();
        size = IPV6_LONG_ROUTE_ENTRIES;
    }

    table ipv6_route {
        key = { vrf: exact; destination[127:64]: lpm @name("destination"); }
        actions = { to; @defaultonly nowhere; }
        const default_action = nowhere();
        size = IPV6_ROUTE_ENTRIES;
        implementation = prefixes;
    }

    apply {
        if (!ipv6_host.apply().hit) {
            if (!ipv6_long_route.apply().hit) {
                ipv6_route.apply();
            }
        }
    }
}

#endif

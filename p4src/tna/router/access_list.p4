// Which packets an interface lets in, with a count for every rule.
#ifndef TNA_ROUTER_ACCESS_LIST_P4
#define TNA_ROUTER_ACCESS_LIST_P4

#include "headers.p4"
#include "table_sizes.p4"

control AccessList(in headers_t hdr, in access_label_t label, inout bool denied) {
    DirectCounter<bit<32>>(CounterType_t.PACKETS) ipv4_rule_packets;
    DirectCounter<bit<32>>(CounterType_t.PACKETS) ipv6_rule_packets;

    action permit_ipv4() { ipv4_rule_packets.count(); }
    action deny_ipv4() { ipv4_rule_packets.count(); denied = true; }
    action permit_ipv6() { ipv6_rule_packets.count(); }
    action deny_ipv6() { ipv6_rule_packets.count(); denied = true; }

    // Beside the routes, as the one stage that has ternary memory left before the next hop.
    @stage(1)
    table ipv4_rules {
        key = {
            label: ternary;
            hdr.ipv4.source: ternary;
            hdr.ipv4.destination: ternary;
            hdr.ipv4.protocol: ternary;
            hdr.ipv4.traffic_class: ternary;
            hdr.transport.source_port: ternary;
            hdr.transport.destination_port: ternary;
        }
        actions = { permit_ipv4; deny_ipv4; }
        const default_action = permit_ipv4();
        counters = ipv4_rule_packets;
        size = IPV4_ACCESS_RULES;
    }

    @stage(1)
    table ipv6_rules {
        key = {
            label: ternary;
            hdr.ipv6.source: ternary;
            hdr.ipv6.destination: ternary;
            hdr.ipv6.next_header: ternary;
            hdr.ipv6.traffic_class: ternary;
            hdr.transport.source_port: ternary;
            hdr.transport.destination_port: ternary;
        }
        actions = { permit_ipv6; deny_ipv6; }
        const default_action = permit_ipv6();
        counters = ipv6_rule_packets;
        size = IPV6_ACCESS_RULES;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            ipv4_rules.apply();
        } else if (hdr.ipv6.isValid()) {
            ipv6_rules.apply();
        }
    }
}

#endif

// Packets that no router forwards, whatever its routes say: from or to a martian address (RFC 1812,
// section 5.3.7; RFC 6890, RFC 3927, RFC 4291), or in a frame that all stations of a group receive
// (RFC 1812, section 5.3.4). They may still be switched, replicated and, by the trap table, brought to a
// controller. Comparisons, because a table of these addresses takes an engine a third of its time.
#ifndef MARTIANS_P4
#define MARTIANS_P4

#include "headers.p4"
#include "ids.p4"

// This network, loopback, a link's own, groups and class E.
bool is_martian_ipv4(in ipv4_address_t address) {
    return address[31:24] == 0 || address[31:24] == 127 || address[31:16] == 0xa9fe
        || address[31:29] == 7;
}

// Unspecified, loopback, a link's own, groups.
bool is_martian_ipv6(in ipv6_address_t address) {
    return address[127:1] == 0 || address[127:118] == 0x3fa || address[127:120] == 0xff;
}

control Martians(in headers_t hdr, in port_t ingress_port, out bool is_martian) {
    @id(MARTIAN_PACKETS_COUNTER_ID) @p4runtime_role(ROLE_FORWARDING)
    counter(PORT_COUNT, CounterType.packets_and_bytes) martian_packets;

    apply {
        is_martian = hdr.ethernet.destination[40:40] == 1;
        if (hdr.ipv4.isValid()) {
            is_martian = is_martian || is_martian_ipv4(hdr.ipv4.source)
                || is_martian_ipv4(hdr.ipv4.destination);
        } else if (hdr.ipv6.isValid()) {
            is_martian = is_martian || is_martian_ipv6(hdr.ipv6.source)
                || is_martian_ipv6(hdr.ipv6.destination);
        }
        if (is_martian) {
            martian_packets.count((bit<32>)ingress_port);
        }
    }
}

#endif

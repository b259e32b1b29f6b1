// Tells flows apart by their headers, and measures them: by addresses, protocol and ports, for IPv6 also by the
// flow label (RFC 6437). Ports are not seen in fragments and behind IPv4 options.
#ifndef FLOWS_P4
#define FLOWS_P4

#include "../headers.p4"
#include "flow_hash.p4"
#include "flow_time.p4"

bit<32> mixed_address(in bit<32> seed, in ipv6_address_t address) {
    return mixed(mixed(seed, address[127:96] ^ address[63:32]), address[95:64] ^ address[31:0]);
}

// Runs for every IP packet that has an egress port.
control MeasureFlows(in headers_t hdr,
                     inout metadata_t meta,
                     in standard_metadata_t standard_metadata) {
    TimeFlow() time_flow;

    apply {
        if (hdr.ipv4.isValid()) {
            meta.flow = mixed(meta.transport_ports, hdr.ipv4.source);
            meta.flow = mixed(meta.flow, hdr.ipv4.destination);
            meta.flow = mixed(meta.flow, (bit<32>)hdr.ipv4.protocol);
        } else {
            meta.flow = mixed_address(meta.transport_ports, hdr.ipv6.source);
            meta.flow = mixed_address(meta.flow, hdr.ipv6.destination);
            meta.flow = mixed(meta.flow, hdr.ipv6.flow_label ++ 4w0 ++ hdr.ipv6.next_header);
        }
        time_flow.apply(meta.flow, meta.tcp_flags, standard_metadata);
    }
}

#endif

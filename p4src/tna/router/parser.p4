// Ethernet, up to two VLAN tags, IPv4 or IPv6, ports of TCP and UDP; from the CPU port with the
// controller's header before it, or mailbox requests, as from pass to pass.
#ifndef TNA_ROUTER_PARSER_P4
#define TNA_ROUTER_PARSER_P4

#include "headers.p4"
#include "../parser.p4"  // what egress does: nothing

parser RouterParser(packet_in packet,
                    out headers_t hdr,
                    out metadata_t meta,
                    out ingress_intrinsic_metadata_t intrinsic) {
    Checksum() ipv4_checksum;

    state start {
        packet.extract(intrinsic);
        meta.is_request = false;
        meta.forwarded = false;
        meta.checksum_error = false;
        meta.renew_checksum = false;
        meta.frame_bytes = 0;
        meta.time = {0, 0, 0, 0};
        meta.words = {0, 0, 0, 0, 0};
        meta.passage = {0, 0, false, 0, 0};
        meta.trap = {0, 0, 0, 0, 0};
        meta.flow = {0, 0, 0, 0, 0, false, 0};
        meta.flow_counts = {0, 0, 0, 0, 0, 0};
        meta.for_router = false;
        meta.denied = false;
        meta.flow_hash = 0;
        meta.next_hop = 0;
        meta.neighbour = 0;
        meta.interface = port_metadata_unpack<interface_t>(packet);
        transition select(intrinsic.ingress_port) {
            CONTROLLER_PORT: parse_packet_out;
            RECIRCULATION_PORT: parse_mailbox;
            default: parse_ethernet;
        }
    }

    // A frame for the controller itself, or for no port, stays unparsed: packet_io.p4 refuses it.
    state parse_packet_out {
        packet.extract(hdr.packet_out);
        transition select(hdr.packet_out.egress_port, hdr.packet_out.submit_to_ingress) {
            (CPU_PORT, 0): parse_mailbox_type;
            (CONTROLLER_PORT, 0): accept;
            (RECIRCULATION_PORT, 0): accept;
            (DROP_PORT, 0): accept;
            default: parse_ethernet;
        }
    }

    state parse_mailbox_type {
        transition select(packet.lookahead<ethernet_t>().ether_type) {
            ETHER_TYPE_MAILBOX: parse_mailbox;
            default: accept;
        }
    }

    state parse_mailbox {
        packet.extract(hdr.ethernet);
        packet.extract(hdr.mailbox);
        packet.extract(hdr.request);
        meta.is_request = true;
        transition select(hdr.request.requests_left) {
            0: accept;
            default: parse_waiting;
        }
    }

    state parse_waiting {
        packet.extract(hdr.waiting.next);
        transition select(hdr.waiting.last.requests_left) {
            0: accept;
            default: parse_waiting;
        }
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHER_TYPE_IPV4: parse_ipv4;
            ETHER_TYPE_IPV6: parse_ipv6_version;
            ETHER_TYPE_VLAN: parse_outer_tag;
            ETHER_TYPE_SERVICE: parse_outer_tag;
            default: accept;
        }
    }

    state parse_outer_tag {
        packet.extract(hdr.outer_tag);
        transition select(hdr.outer_tag.ether_type) {
            ETHER_TYPE_IPV4: parse_ipv4;
            ETHER_TYPE_IPV6: parse_ipv6_version;
            ETHER_TYPE_VLAN: parse_inner_tag;
            ETHER_TYPE_SERVICE: parse_inner_tag;
            default: accept;
        }
    }

    state parse_inner_tag {
        packet.extract(hdr.inner_tag);
        transition select(hdr.inner_tag.ether_type) {
            ETHER_TYPE_IPV4: parse_ipv4;
            ETHER_TYPE_IPV6: parse_ipv6_version;
            default: accept;
        }
    }

    state parse_ipv4 {
        transition select(packet.lookahead<bit<8>>()) {
            0x45: parse_ipv4_without_options;
            default: parse_other_version;
        }
    }

    state parse_ipv4_without_options {
        packet.extract(hdr.ipv4);
        ipv4_checksum.add(hdr.ipv4);
        meta.checksum_error = ipv4_checksum.verify();
        meta.renew_checksum = true;
        transition select(hdr.ipv4.fragment_offset, hdr.ipv4.protocol) {
            (0, PROTOCOL_TCP): parse_transport;
            (0, PROTOCOL_UDP): parse_transport;
            default: accept;
        }
    }

    state parse_ipv6_version {
        transition select(packet.lookahead<bit<8>>()) {
            0x60 &&& 0xf0: parse_ipv6;
            default: parse_other_version;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header) {
            PROTOCOL_TCP: parse_transport;
            PROTOCOL_UDP: parse_transport;
            default: accept;
        }
    }

    state parse_transport {
        meta.flow.transport_ports = packet.lookahead<bit<32>>();
        packet.extract(hdr.transport);
        transition accept;
    }

    // Headers with options among them: a router leaves those to its CPU.
    state parse_other_version {
        meta.checksum_error = true;
        transition accept;
    }
}

control RouterDeparser(packet_out packet,
                       inout headers_t hdr,
                       in metadata_t meta,
                       in ingress_intrinsic_metadata_for_deparser_t intrinsic) {
    Checksum() ipv4_checksum;

    apply {
        if (meta.renew_checksum) {
            hdr.ipv4.checksum = ipv4_checksum.update({
                hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.traffic_class,
                hdr.ipv4.total_len, hdr.ipv4.identification, hdr.ipv4.flags,
                hdr.ipv4.fragment_offset, hdr.ipv4.ttl, hdr.ipv4.protocol,
                hdr.ipv4.source, hdr.ipv4.destination });
        }
        packet.emit(hdr.packet_in);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.mailbox);
        packet.emit(hdr.waiting);
        packet.emit(hdr.record);
        packet.emit(hdr.outer_tag);
        packet.emit(hdr.inner_tag);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.transport);
    }
}

#endif

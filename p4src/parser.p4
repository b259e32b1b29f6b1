// Parses Ethernet, up to two VLAN tags, then IPv4 or IPv6. From the CPU port, a controller's header comes
// first, and a mailbox request with its records may follow it. A third tag and what follows it is payload.
#ifndef PARSER_P4
#define PARSER_P4

#include "headers.p4"

parser AbsParser(packet_in packet,
                 out headers_t hdr,
                 inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) {
    ParseMailbox() mailbox;

    state start {
        transition select(standard_metadata.ingress_port) {
            CPU_PORT: parse_packet_out;
            default: parse_ethernet;
        }
    }

    state parse_packet_out {
        packet.extract(hdr.packet_out);
        transition select(hdr.packet_out.submit_to_ingress, hdr.packet_out.egress_port) {
            (0, CPU_PORT): parse_mailbox;
            (0, _): parse_sent_frame;
            default: parse_ethernet;
        }
    }

    // The mailbox's EtherType has a meaning only here.
    state parse_mailbox {
        mailbox.apply(packet, hdr.mailbox);
        transition select(hdr.mailbox.head.isValid()) {
            true: accept;
            default: parse_sent_frame;
        }
    }

    // A frame that leaves as it is.
    state parse_sent_frame {
        packet.extract(hdr.ethernet);
        transition accept;
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHER_TYPE_IPV4: parse_ipv4;
            ETHER_TYPE_IPV6: parse_ipv6;
            ETHER_TYPE_VLAN: parse_outer_tag;
            ETHER_TYPE_SERVICE: parse_outer_tag;
            default: accept;
        }
    }

    state parse_outer_tag {
        packet.extract(hdr.outer_tag);
        transition select(hdr.outer_tag.ether_type) {
            ETHER_TYPE_IPV4: parse_ipv4;
            ETHER_TYPE_IPV6: parse_ipv6;
            ETHER_TYPE_VLAN: parse_inner_tag;
            ETHER_TYPE_SERVICE: parse_inner_tag;
            default: accept;
        }
    }

    state parse_inner_tag {
        packet.extract(hdr.inner_tag);
        transition select(hdr.inner_tag.ether_type) {
            ETHER_TYPE_IPV4: parse_ipv4;
            ETHER_TYPE_IPV6: parse_ipv6;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        verify(hdr.ipv4.version == 4, error.BadIpVersion);
        verify(hdr.ipv4.ihl >= 5, error.BadIpv4HeaderLength);
        // Ports follow directly if there are no options and the packet is no fragment.
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags, hdr.ipv4.fragment_offset,
                          hdr.ipv4.protocol) {
            (5, 0 &&& 1, 0, PROTOCOL_TCP): parse_tcp;
            (5, 0 &&& 1, 0, PROTOCOL_UDP): parse_transport;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        verify(hdr.ipv6.version == 6, error.BadIpVersion);
        transition select(hdr.ipv6.next_header) {
            PROTOCOL_TCP: parse_tcp;
            PROTOCOL_UDP: parse_transport;
            default: accept;
        }
    }

    // A packet that ends before its ports or flags is forwarded all the same; see v1model/pipeline.p4.
    state parse_transport {
        packet.extract(hdr.transport);
        meta.transport_ports = hdr.transport.source_port ++ hdr.transport.destination_port;
        transition accept;
    }

    // The flags are the last of the ten bytes that follow the ports.
    state parse_tcp {
        packet.extract(hdr.transport);
        meta.transport_ports = hdr.transport.source_port ++ hdr.transport.destination_port;
#ifdef MEASURE_FLOWS
        meta.tcp_flags = packet.lookahead<bit<80>>()[7:0];
#endif
        transition accept;
    }
}

control AbsDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.packet_in);
        packet.emit(hdr.mailbox);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.outer_tag);
        packet.emit(hdr.inner_tag);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
        packet.emit(hdr.transport);
    }
}

#endif

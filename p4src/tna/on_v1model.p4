// The pipeline of the Tofinos on v1model, for the packet tests: the same source, in which
// on_v1model.py puts v1model's registers in the place of TNA's.
//
// Time is the tests' to choose: a frame's Ethernet source address is its stamp, in nanoseconds, that
// of a mailbox request as well.
#include <core.p4>
#include <v1model.p4>

#define MEASURE_FLOWS

#define standard_metadata_t tna_standard_metadata_t
#include "adapter.p4"
#undef counter
#undef direct_counter

#define min(LEFT, RIGHT) ((LEFT) < (RIGHT) ? (LEFT) : (RIGHT))
#define max(LEFT, RIGHT) ((LEFT) > (RIGHT) ? (LEFT) : (RIGHT))

const port_t CONTROLLER_PORT = CPU_PORT;
// v1model recirculates from any port's egress.
const port_t RECIRCULATION_PORT = CPU_PORT;
const bit<32> RECIRCULATED = 4;  // an instance type

// Of TNA's, what ingress.p4 takes.
struct ingress_intrinsic_metadata_t {
    port_t ingress_port;
}

struct ingress_intrinsic_metadata_from_parser_t {
    bit<48> global_tstamp;
}

struct ingress_intrinsic_metadata_for_deparser_t {
    bit<3> drop_ctl;
}

struct ingress_intrinsic_metadata_for_tm_t {
    port_t ucast_egress_port;
    bit<1> bypass_egress;
}

#include "ingress.p4"

#undef standard_metadata_t
#undef mark_to_drop
#undef error

#include "../checksum.p4"

parser OnV1modelParser(packet_in packet,
                       out headers_t hdr,
                       inout metadata_t meta,
                       inout standard_metadata_t standard_metadata) {
    state start {
        transition select(standard_metadata.ingress_port, standard_metadata.instance_type) {
            (_, RECIRCULATED): parse_mailbox;
            (CONTROLLER_PORT, _): parse_packet_out;
            default: parse_ethernet;
        }
    }

    state parse_packet_out {
        packet.extract(hdr.packet_out);
        transition select(hdr.packet_out.egress_port, hdr.packet_out.submit_to_ingress) {
            (CPU_PORT, 0): parse_mailbox_type;
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
        meta.trap.ttl = hdr.ipv4.ttl;
        meta.trap.ip_protocol = hdr.ipv4.protocol;
        meta.renew_checksum = hdr.ipv4.ihl == 5;
        transition select(hdr.ipv4.ihl, hdr.ipv4.flags, hdr.ipv4.fragment_offset,
                          hdr.ipv4.protocol) {
            (5, 0 &&& 1, 0, PROTOCOL_TCP): parse_ports;
            (5, 0 &&& 1, 0, PROTOCOL_UDP): parse_ports;
            default: accept;
        }
    }

    state parse_ipv6 {
        packet.extract(hdr.ipv6);
        verify(hdr.ipv6.version == 6, error.BadIpVersion);
        meta.trap.ttl = hdr.ipv6.hop_limit;
        meta.trap.ip_protocol = hdr.ipv6.next_header;
        transition select(hdr.ipv6.next_header) {
            PROTOCOL_TCP: parse_ports;
            PROTOCOL_UDP: parse_ports;
            default: accept;
        }
    }

    state parse_ports {
        meta.trap.destination_port = packet.lookahead<transport_t>().destination_port;
        meta.flow.transport_ports = packet.lookahead<bit<32>>();
        transition accept;
    }
}

control OnV1modelIngress(inout headers_t hdr,
                         inout metadata_t meta,
                         inout standard_metadata_t standard_metadata) {
    AbsIngress() tofino;

    apply {
        ingress_intrinsic_metadata_t intrinsic;
        ingress_intrinsic_metadata_from_parser_t from_parser;
        ingress_intrinsic_metadata_for_deparser_t for_deparser;
        ingress_intrinsic_metadata_for_tm_t for_tm;

        intrinsic.ingress_port = standard_metadata.ingress_port;
        from_parser.global_tstamp = hdr.ethernet.source;
        for_deparser.drop_ctl = 0;
        for_tm.ucast_egress_port = 0;
        for_tm.bypass_egress = 0;
        // Where there is an IP header, nothing but ports behind it can be missing.
        if (standard_metadata.parser_error == error.PacketTooShort
            && (hdr.ipv4.isValid() || hdr.ipv6.isValid())) {
            standard_metadata.parser_error = error.NoError;
        }
        meta.checksum_error = standard_metadata.checksum_error == 1
            || standard_metadata.parser_error != error.NoError;

        // On a Tofino the parser drops what has more requests than fit, or fewer than it says.
        if (meta.is_request && meta.checksum_error) {
            for_deparser.drop_ctl = 1;
        } else {
            tofino.apply(hdr, meta, intrinsic, from_parser, for_deparser, for_tm);
        }

        standard_metadata.egress_spec = for_tm.ucast_egress_port;
        if (for_deparser.drop_ctl != 0) {
            mark_to_drop(standard_metadata);
        }
    }
}

control OnV1modelEgress(inout headers_t hdr,
                        inout metadata_t meta,
                        inout standard_metadata_t standard_metadata) {
    apply {
        if (hdr.mailbox.isValid() && !hdr.packet_in.isValid()) {
            recirculate_preserving_field_list(0);
        }
    }
}

control OnV1modelComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(meta.renew_checksum, IPV4_CHECKSUM_FIELDS, hdr.ipv4.checksum,
                        HashAlgorithm.csum16);
    }
}

control OnV1modelDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.packet_in);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.mailbox);
        packet.emit(hdr.waiting);
        packet.emit(hdr.record);
        packet.emit(hdr.outer_tag);
        packet.emit(hdr.inner_tag);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.ipv6);
    }
}

@pkginfo(name="p4abs.tna.on_v1model", version="3.0.0")
V1Switch(OnV1modelParser(), AbsVerifyChecksum(), OnV1modelIngress(), OnV1modelEgress(),
         OnV1modelComputeChecksum(), OnV1modelDeparser()) main;

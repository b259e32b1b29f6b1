// One of every kind of object that the P4Runtime server serves. A frame of the network is looked
// up in each table in turn; a frame of the controller leaves by the port that its header names.
#include <core.p4>
#include <v1model.p4>

const bit<9> CPU_PORT = 510;

@controller_header("packet_out")
header packet_out_t {
    bit<9> egress_port;
    bit<3> mark;
    bit<4> unused;
}

@controller_header("packet_in")
header packet_in_t {
    bit<9> ingress_port;
    bit<7> mark;
}

header ethernet_t {
    bit<48> destination;
    bit<48> source;
    bit<16> ether_type;
}

struct headers_t {
    packet_out_t packet_out;
    packet_in_t  packet_in;
    ethernet_t   ethernet;
}

struct metadata_t {
}

parser KindsParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    state start {
        transition select(standard_metadata.ingress_port) {
            CPU_PORT: parse_packet_out;
            default: parse_ethernet;
        }
    }
    state parse_packet_out {
        packet.extract(hdr.packet_out);
        transition accept;
    }
    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition accept;
    }
}

control KindsVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control KindsIngress(inout headers_t hdr, inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    register<bit<12>>(4) marks;
    register<int<16>>(4) balances;
    counter(8, CounterType.packets_and_bytes) arrivals;
    direct_counter(CounterType.packets_and_bytes) acl_hits;

    action drop() {
        mark_to_drop(standard_metadata);
    }
    action forward(bit<9> port) {
        standard_metadata.egress_spec = port;
    }
    action punt(bit<7> mark) {
        hdr.packet_in.setValid();
        hdr.packet_in.ingress_port = standard_metadata.ingress_port;
        hdr.packet_in.mark = mark;
        standard_metadata.egress_spec = CPU_PORT;
    }

    table stations {
        key = { hdr.ethernet.destination: exact; }
        actions = { @tableonly forward; @tableonly punt; @defaultonly drop; }
        const default_action = drop();
        size = 4;
    }
    table prefixes {
        key = { hdr.ethernet.source: lpm; }
        actions = { forward; drop; NoAction; }
        default_action = NoAction();
    }
    table acl {
        key = {
            hdr.ethernet.ether_type: ternary;
            hdr.ethernet.source: range;
            standard_metadata.ingress_port: optional;
        }
        actions = { forward; drop; NoAction; }
        default_action = NoAction();
        counters = acl_hits;
    }
    table fixed {
        key = { hdr.ethernet.ether_type: exact; }
        actions = { punt; NoAction; }
        const entries = {
            0x88cc: punt(17);
        }
        default_action = NoAction();
    }
    table keyless {
        actions = { forward; NoAction; }
        default_action = NoAction();
    }

    apply {
        if (hdr.packet_out.isValid()) {
            marks.write((bit<32>)hdr.packet_out.mark, 12w1);
            balances.write((bit<32>)hdr.packet_out.mark, -16s1);
            standard_metadata.egress_spec = hdr.packet_out.egress_port;
            hdr.packet_out.setInvalid();
        } else {
            arrivals.count((bit<32>)standard_metadata.ingress_port);
            stations.apply();
            prefixes.apply();
            acl.apply();
            keyless.apply();
            fixed.apply();
        }
    }
}

control KindsEgress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply { }
}

control KindsComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control KindsDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.packet_in);
        packet.emit(hdr.ethernet);
    }
}

V1Switch(KindsParser(), KindsVerifyChecksum(), KindsIngress(), KindsEgress(),
         KindsComputeChecksum(), KindsDeparser()) main;

// The adaptive router, which measures flows and their round trips, too: by addresses, and by TCP's ports.
#include <core.p4>
#include <v1model.p4>

#define MEASURE_FLOWS
#include "../adaptive/with_packet_io.p4"
#include "../flows/adaptive_flows.p4"

header ethernet_t {
    bit<48> dstAddr;
    bit<48> srcAddr;
    bit<16> etherType;
}

header ipv4_t {
    bit<4>  version;
    bit<4>  ihl;
    bit<8>  diffserv;
    bit<16> totalLen;
    bit<16> identification;
    bit<3>  flags;
    bit<13> fragOffset;
    bit<8>  ttl;
    bit<8>  protocol;
    bit<16> hdrChecksum;
    bit<32> srcAddr;
    bit<32> dstAddr;
}

header tcp_t {
    bit<32> ports;
    bit<64> numbers;
    bit<8>  offset;
    bit<8>  flags;
}

struct metadata {
    adaptive_metadata_t adaptive;
    adaptive_flow_t flow;
}

struct headers {
    packet_out_t packet_out;
    packet_in_t packet_in;
    mailbox_packet_t mailbox;
    ethernet_t ethernet;
    ipv4_t     ipv4;
    tcp_t      tcp;
}

parser RouterParser(packet_in packet, out headers hdr, inout metadata meta,
                    inout standard_metadata_t standard_metadata) {
    state start {
        transition select(standard_metadata.ingress_port) {
            CPU_PORT: parse_packet_out;
            default: parse_ethernet;
        }
    }

    state parse_packet_out {
        packet.extract(hdr.packet_out);
        ParseMailbox.apply(packet, hdr.mailbox);
        transition select(hdr.packet_out.submit_to_ingress, hdr.mailbox.head.isValid()) {
            (1, false): parse_ethernet;
            default: accept;
        }
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.etherType) {
            0x0800: parse_ipv4;
            default: accept;
        }
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.ihl, hdr.ipv4.fragOffset, hdr.ipv4.protocol) {
            (5, 0, 6): parse_tcp;
            default: accept;
        }
    }

    state parse_tcp {
        packet.extract(hdr.tcp);
        transition accept;
    }
}

control RouterVerifyChecksum(inout headers hdr, inout metadata meta) {
    apply { }
}

control RouterIngress(inout headers hdr, inout metadata meta,
                      inout standard_metadata_t standard_metadata) {
    action drop() {
        mark_to_drop(standard_metadata);
    }

    action ipv4_forward(bit<48> dstAddr, bit<9> port) {
        standard_metadata.egress_spec = port;
        hdr.ethernet.srcAddr = hdr.ethernet.dstAddr;
        hdr.ethernet.dstAddr = dstAddr;
        hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
    }

    table ipv4_lpm {
        key = { hdr.ipv4.dstAddr: lpm; }
        actions = { ipv4_forward; drop; }
        default_action = drop();
        size = 1024;
    }

    apply {
        if (hdr.ipv4.isValid()) {
            ipv4_lpm.apply();
            meta.flow.hash = mixed(hdr.ipv4.srcAddr, hdr.ipv4.dstAddr);
            if (hdr.tcp.isValid()) {
                meta.flow.hash = mixed(meta.flow.hash, hdr.tcp.ports);
                meta.flow.tcp_flags = hdr.tcp.flags;
            }
            MeasureFlow.apply(meta.flow, standard_metadata);
        } else {
            drop();
        }
        AdaptiveIngressWithPacketIo.apply(hdr.packet_out, hdr.mailbox, meta.adaptive,
                                          standard_metadata);
    }
}

control RouterEgress(inout headers hdr, inout metadata meta,
                     inout standard_metadata_t standard_metadata) {
    apply {
        AdaptiveEgressWithPacketIo.apply(hdr.packet_in, hdr.mailbox, meta.adaptive,
                                         standard_metadata);
        AwaitAnswerToFlow.apply(meta.flow, meta.adaptive, standard_metadata);
    }
}

control RouterComputeChecksum(inout headers hdr, inout metadata meta) {
    apply {
        update_checksum(hdr.ipv4.isValid(),
            { hdr.ipv4.version, hdr.ipv4.ihl, hdr.ipv4.diffserv, hdr.ipv4.totalLen,
              hdr.ipv4.identification, hdr.ipv4.flags, hdr.ipv4.fragOffset, hdr.ipv4.ttl,
              hdr.ipv4.protocol, hdr.ipv4.srcAddr, hdr.ipv4.dstAddr },
            hdr.ipv4.hdrChecksum, HashAlgorithm.csum16);
    }
}

control RouterDeparser(packet_out packet, in headers hdr) {
    apply {
        packet.emit(hdr.packet_in);
        packet.emit(hdr.mailbox);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.tcp);
    }
}

V1Switch(RouterParser(), RouterVerifyChecksum(), RouterIngress(), RouterEgress(),
         RouterComputeChecksum(), RouterDeparser()) main;

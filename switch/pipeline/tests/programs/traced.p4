// Something of everything that traces tell of.
#include <core.p4>
#include <v1model.p4>

header ethernet_t {
    bit<48> destination;
    bit<48> source;
    bit<16> type;
}
header vlan_t {
    bit<16> tag;
    bit<16> type;
}
header ipv4_t {
    bit<4>  version;
    bit<4>  header_words;
    int<8>  offset;
    bit<16> length;
    bit<32> destination;
}
struct headers_t {
    ethernet_t ethernet;
    vlan_t     vlan;
    ipv4_t     ipv4;
}
struct metadata_t { bit<32> hop; }

error { BadVersion }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.type) {
            0x8100: parse_vlan;
            0x0800: parse_ipv4;
            default: accept;
        }
    }
    state parse_vlan {
        packet.extract(hdr.vlan);
        transition select(hdr.vlan.type) {
            0x0800: parse_ipv4;
            default: accept;
        }
    }
    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        verify(hdr.ipv4.version == 4, error.BadVersion);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    register<bit<48>>(4) last_source;
    counter(2, CounterType.packets_and_bytes) seen;

    action forward(bit<9> port) { standard_metadata.egress_spec = port; }
    action route(bit<32> hop, bit<9> port) {
        meta.hop = hop;
        forward(port);
    }
    action drop() { mark_to_drop(standard_metadata); }

    table stations {
        key = { hdr.ethernet.destination: exact; }
        actions = { forward; drop; }
        default_action = drop();
    }
    table routes {
        key = { hdr.ipv4.destination: lpm; }
        actions = { route; NoAction; }
        default_action = NoAction();
    }
    table filter {
        key = {
            hdr.ethernet.source: ternary @name("source");
            standard_metadata.ingress_port: range @name("ingress_port");
        }
        actions = { drop; NoAction; }
        default_action = NoAction();
    }

    apply {
        if (hdr.ipv4.isValid() && hdr.ipv4.offset > -2) {
            routes.apply();
        } else if (!stations.apply().hit) {
            seen.count(7);
        }
        filter.apply();
        bit<48> before;
        last_source.read(before, (bit<32>)standard_metadata.ingress_port);
        last_source.write((bit<32>)standard_metadata.ingress_port, hdr.ethernet.source);
        if (before == hdr.ethernet.source) {
            seen.count(1);
        }
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply {
        if (standard_metadata.egress_port == 3) {
            mark_to_drop(standard_metadata);
        }
    }
}

control Deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.vlan);
        packet.emit(hdr.ipv4);
    }
}
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

// Parser value sets of one and of several fields. The packet leaves with what it was found to be.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>   kind;
    bit<16>  port;
    bit<128> address;
    bit<8>   found;
}
struct pair_t { bit<16> port; bit<128> address; bit<9> ingress; }
struct headers_t { packet_t packet; }
struct metadata_t { bit<8> found; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    value_set<bit<8>>(4) kinds;
    value_set<pair_t>(2) pairs;
    state start {
        packet.extract(hdr.packet);
        transition select(hdr.packet.kind) {
            0: accept;
            kinds: known;
            default: unknown;
        }
    }
    state known { meta.found = 1; transition accept; }
    state unknown {
        meta.found = 2;
        transition select(hdr.packet.port, hdr.packet.address, standard_metadata.ingress_port) {
            pairs: pair;
            (7, _, _): seven;
            default: accept;
        }
    }
    state pair { meta.found = 3; transition accept; }
    state seven { meta.found = 4; transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        hdr.packet.found = meta.found;
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

// Digests of flat, nested and signed fields, asked for and changed afterwards.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>  choice;
    bit<48> address;
    bit<8>  value;
}
struct place_t { bit<9> port; bit<3> rest; }
struct seen_t { bit<48> address; place_t place; int<12> signed_value; }
struct other_t { bit<8> value; }
struct headers_t { packet_t packet; }
struct metadata_t { other_t other; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.packet); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.packet.choice & 1 != 0) {
            digest<seen_t>(1, { hdr.packet.address, { standard_metadata.ingress_port, 5 },
                                (int<12>)(int<8>)hdr.packet.value });
        }
        if (hdr.packet.choice & 2 != 0) {
            meta.other.value = hdr.packet.value;
            digest<other_t>(1, meta.other);
            meta.other.value = 0xff;
        }
        if (hdr.packet.choice & 4 != 0) {
            mark_to_drop(standard_metadata);
        }
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

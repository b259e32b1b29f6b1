// Two digests of tuples with the same fields: P4Info has digest_0 and digest_1, the JSON two tuple_0.
#include <core.p4>
#include <v1model.p4>
header h_t { bit<48> a; bit<48> b; bit<16> t; }
struct headers_t { h_t h; }
struct meta_t { }
parser P(packet_in packet, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    state start { packet.extract(hdr.h); transition accept; }
}
control V(inout headers_t hdr, inout meta_t meta) { apply { } }
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        sm.egress_spec = 1;
        digest(1, { hdr.h.a, sm.ingress_port });
        digest(1, { hdr.h.b, sm.ingress_port });
    }
}
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;

// An action profile whose only table the compiler removes, and two whose size is 0.
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
    action forward(bit<9> port) { sm.egress_spec = port; }
    action_profile(8) left_out;
    action_profile(0) unbounded;
    action_selector(HashAlgorithm.crc16, 0, 10) unbounded_selector;
    table never {
        key = { hdr.h.a: exact; }
        actions = { forward; }
        implementation = left_out;
    }
    table first {
        key = { hdr.h.a: exact; }
        actions = { forward; }
        implementation = unbounded;
    }
    table second {
        key = { hdr.h.a: exact; hdr.h.b: selector; }
        actions = { forward; }
        implementation = unbounded_selector;
    }
    apply {
        bit<1> debug = 0;
        if (debug == 1) { never.apply(); }
        if (hdr.h.t == 1) { first.apply(); } else { second.apply(); }
    }
}
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;

// An action profile of two tables. p4c leaves out the default action that the second one declares, and
// gives NoAction to the first one, which declares none: so the two have different actions.
#include <core.p4>
#include <v1model.p4>
header h_t { bit<8> a; bit<8> b; }
struct headers_t { h_t h; }
struct meta_t { }
parser P(packet_in packet, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    state start { packet.extract(hdr.h); transition accept; }
}
control V(inout headers_t hdr, inout meta_t meta) { apply { } }
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    action forward(bit<9> port) { sm.egress_spec = port; }
    action drop() { mark_to_drop(sm); }
    action_profile(8) shared;
    table first {
        key = { hdr.h.a: exact; }
        actions = { forward; drop; }
        implementation = shared;
    }
    table second {
        key = { hdr.h.b: exact; }
        actions = { forward; drop; }
        implementation = shared;
        default_action = drop();
    }
    apply {
        sm.egress_spec = 1;
        first.apply();
        second.apply();
    }
}
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;

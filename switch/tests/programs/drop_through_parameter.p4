// standard_metadata as a parameter of an action: p4c copies it in and out around mark_to_drop.
#include <core.p4>
#include <v1model.p4>

header kind_t { bit<8> kind; }
struct headers_t { kind_t kind; }
struct metadata_t { }

action drop(inout standard_metadata_t intrinsic) {
    mark_to_drop(intrinsic);
}

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.kind); transition accept; }
}

control Forward(inout headers_t hdr, inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    action forward(bit<9> port) { standard_metadata.egress_spec = port; }
    table kinds {
        key = { hdr.kind.kind: exact; }
        actions = { forward; drop(standard_metadata); }
        default_action = drop(standard_metadata);
    }
    apply { kinds.apply(); }
}

control NoEgress(inout headers_t hdr, inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) { apply { } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.kind); } }
V1Switch(Parse(), NoChecksum(), Forward(), NoEgress(), NoChecksum(), Deparse()) main;

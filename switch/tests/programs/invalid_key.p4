// A table's key field of a header that is not valid, but was in the frame.
#include <core.p4>
#include <v1model.p4>

header kind_t { bit<8> kind; }
header extra_t { bit<8> value; }
struct headers_t { kind_t kind; extra_t extra; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.kind);
        transition select(hdr.kind.kind) { 1: parse_extra; default: accept; }
    }
    state parse_extra { packet.extract(hdr.extra); transition accept; }
}

control Forwarding(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    action forward(bit<9> port) { standard_metadata.egress_spec = port; }
    table exactly {
        key = { hdr.extra.value: exact; }
        actions = { forward; NoAction; }
        default_action = NoAction();
    }
    table masked {
        key = { hdr.extra.value: ternary; }
        actions = { forward; NoAction; }
        default_action = NoAction();
    }
    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.kind.kind < 3) {
            hdr.extra.setInvalid();
        }
        if (hdr.kind.kind != 2) {
            exactly.apply();
        } else {
            masked.apply();
        }
    }
}

control NoEgress(inout headers_t hdr, inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) { apply { } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(Parse(), NoChecksum(), Forwarding(), NoEgress(), NoChecksum(), Deparse()) main;

// Fields, arguments and keys of no bits: as a configurable width leaves them.
#include <core.p4>
#include <v1model.p4>

header bytes_t {
    bit<0> first;
    bit<8> a;
    bit<0> between;
    bit<8> b;
    bit<0> last;
}
struct headers_t { bytes_t bytes; }
struct metadata_t { bit<0> nothing; bit<8> something; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.bytes); transition accept; }
}

control NoBits(inout headers_t hdr, inout metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    action set(bit<8> before, bit<0> nothing, bit<8> value) {
        hdr.bytes.between = nothing;
        meta.something = before;
        hdr.bytes.b = value;
    }
    table by_nothing {
        key = { hdr.bytes.a: exact; hdr.bytes.between: exact; }
        actions = { set; NoAction; }
        const entries = { (7, 0) : set(3, 0, 9); }
        default_action = NoAction();
    }
    apply {
        standard_metadata.egress_spec = 1;
        hdr.bytes.first = meta.nothing;
        by_nothing.apply();
        hdr.bytes.a = hdr.bytes.a + (bit<8>) hdr.bytes.between + meta.something;
        if (hdr.bytes.last == hdr.bytes.first) { hdr.bytes.b = hdr.bytes.b + 1; }
    }
}

control NoEgress(inout headers_t hdr, inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) { apply { } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.bytes); } }

V1Switch(Parse(), NoChecksum(), NoBits(), NoEgress(), NoChecksum(), Deparse()) main;

// The last element of a stack as a whole, which BMv2 does not find.
#include <core.p4>
#include <v1model.p4>

header item_t { bit<8> more; bit<8> value; }
struct headers_t { item_t last; item_t[3] items; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.items.next);
        transition select(hdr.items.last.more) { 1: start; default: keep_last; }
    }
    state keep_last {
        hdr.last = hdr.items.last;
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply { standard_metadata.egress_spec = 1; }
}

control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

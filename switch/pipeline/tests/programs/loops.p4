// Loops of actions.
#include <core.p4>
#include <v1model.p4>

header numbers_t { bit<32> count; bit<32> sum; bit<8> inner; }
struct headers_t { numbers_t numbers; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.numbers); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    action sum() {
        for (bit<32> i = 1; i <= hdr.numbers.count; i = i + 1) {
            if (i == 5) { continue; }
            if (i == 100000) { break; }
            for (bit<8> j = 0; j < hdr.numbers.inner; j = j + 1) {
                hdr.numbers.sum = hdr.numbers.sum + 1;
            }
            hdr.numbers.sum = hdr.numbers.sum + i;
        }
    }
    action endless() {
        for (bit<32> i = 0; hdr.numbers.count != 0; i = i + 1) { hdr.numbers.sum = i; }
    }
    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.numbers.inner == 0xff) { endless(); } else { sum(); }
    }
}

control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.numbers); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

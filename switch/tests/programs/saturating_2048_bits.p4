// Saturating sums and differences of the widest numbers.
#include <core.p4>
#include <v1model.p4>
header h_t { bit<8> a; bit<8> high; bit<8> low; bit<8> signed_high; bit<8> signed_low; }
struct headers_t { h_t h; }
struct meta_t { }
parser P(packet_in packet, out headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    state start { packet.extract(hdr.h); transition accept; }
}
control V(inout headers_t hdr, inout meta_t meta) { apply { } }
control I(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) {
    apply {
        bit<2048> highest = ~2048w0;
        bit<2048> a = (bit<2048>) hdr.h.a;
        int<2048> signed_highest = (int<2048>) (highest >> 1);
        int<2048> b = (int<2048>) a;
        bit<2048> sum = (highest - 3) |+| a;
        bit<2048> difference = 2048w3 |-| a;
        int<2048> signed_sum = (signed_highest - 3) |+| b;
        int<2048> signed_difference = (2 - signed_highest) |-| b;
        hdr.h.high = sum[7:0];
        hdr.h.low = difference[7:0];
        hdr.h.signed_high = ((bit<2048>) signed_sum)[7:0];
        hdr.h.signed_low = ((bit<2048>) signed_difference)[7:0];
        sm.egress_spec = 1;
    }
}
control E(inout headers_t hdr, inout meta_t meta, inout standard_metadata_t sm) { apply { } }
control C(inout headers_t hdr, inout meta_t meta) { apply { } }
control D(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.h); } }
V1Switch(P(), V(), I(), E(), C(), D()) main;

// Arithmetic as p4c writes it down: wrapping, saturating, signed, shifted, sliced, wide.
#include <core.p4>
#include <v1model.p4>

header operands_t { bit<8> a; bit<8> b; int<8> s; int<8> t; bit<128> w; bit<128> x; bit<64> l; bit<64> m; }
header results_t {
    bit<8>   sum;
    bit<8>   difference;
    bit<8>   product;
    bit<8>   saturated_sum;
    bit<8>   saturated_difference;
    int<8>   signed_sum;
    int<8>   signed_saturated_sum;
    int<8>   signed_saturated_difference;
    bit<8>   shifted_left;
    int<8>   shifted_right;
    bit<8>   signed_order;
    bit<8>   slices;
    bit<64>  saturated_long;
    bit<128> wide_sum;
    bit<128> wide_difference;
    bit<128> wide_product;
    bit<128> wide_shift;
    bit<128> wide_choice;
    int<128> extended;
}
struct headers_t { operands_t in_; results_t out_; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.in_); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        hdr.out_.setValid();
        hdr.out_.sum = hdr.in_.a + hdr.in_.b;
        hdr.out_.difference = hdr.in_.a - hdr.in_.b;
        hdr.out_.product = hdr.in_.a * hdr.in_.b;
        hdr.out_.saturated_sum = hdr.in_.a |+| hdr.in_.b;
        hdr.out_.saturated_difference = hdr.in_.a |-| hdr.in_.b;
        hdr.out_.signed_sum = hdr.in_.s + hdr.in_.t;
        hdr.out_.signed_saturated_sum = hdr.in_.s |+| hdr.in_.t;
        hdr.out_.signed_saturated_difference = hdr.in_.s |-| hdr.in_.t;
        hdr.out_.shifted_left = hdr.in_.a << hdr.in_.b;
        hdr.out_.shifted_right = hdr.in_.s >> hdr.in_.b;
        hdr.out_.signed_order = hdr.in_.s < hdr.in_.t ? 8w1 : 8w2;
        hdr.out_.slices = hdr.in_.a[7:4] ++ hdr.in_.b[3:0];
        hdr.out_.saturated_long = hdr.in_.l |+| hdr.in_.m;
        hdr.out_.wide_sum = hdr.in_.w + hdr.in_.x;
        hdr.out_.wide_difference = hdr.in_.w - hdr.in_.x;
        hdr.out_.wide_product = hdr.in_.w * hdr.in_.x;
        hdr.out_.wide_shift = hdr.in_.w << hdr.in_.a >> hdr.in_.b;
        hdr.out_.wide_choice = hdr.in_.w < hdr.in_.x ? hdr.in_.w : ~hdr.in_.x;
        hdr.out_.extended = (int<128>)hdr.in_.s;
    }
}

control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.out_); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

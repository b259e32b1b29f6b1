// Constants of type int<W> below zero, which p4c writes with their sign: arguments, keys, transitions.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>  choice;
    int<8>  small;
    int<72> wide;
    int<64> whole;
    bit<8>  below; // bits: which arguments were below zero
    int<8>  state; // which transition
    int<72> label; // which case
    bit<8>  taken; // by the parser in the lower four bits, by `switch` in the upper
}
struct headers_t { packet_t packet; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.packet);
        hdr.packet.taken = 0;
        transition select(hdr.packet.state, hdr.packet.choice) {
            (-8s5, 1): first;
            (-8s128, _): second;
            (-8s64 &&& -8s16, 2): third;
            (8s127, _): fourth;
            default: accept;
        }
    }
    state first { hdr.packet.taken = 1; transition accept; }
    state second { hdr.packet.taken = 2; transition accept; }
    state third { hdr.packet.taken = 3; transition accept; }
    state fourth { hdr.packet.taken = 4; transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    action set(int<8> small, int<72> wide, int<64> whole) {
        hdr.packet.small = small;
        hdr.packet.wide = wide;
        hdr.packet.whole = whole;
        hdr.packet.below = 0;
        if (small < 0) { hdr.packet.below = hdr.packet.below | 1; }
        if (wide < 0) { hdr.packet.below = hdr.packet.below | 2; }
        if (whole < 0) { hdr.packet.below = hdr.packet.below | 4; }
    }
    table constant {
        key = { hdr.packet.choice: exact; }
        actions = { set; }
        const entries = {
            1: set(-128, -2, -3);
            2: set(127, 7, 9);
        }
        default_action = set(-1, -72s0x7f_ffffffffffffffff, -64s0x7fffffffffffffff);
    }
    apply {
        standard_metadata.egress_spec = 1;
        constant.apply();
        switch (hdr.packet.label) {
            -1: { hdr.packet.taken[7:4] = 1; }
            -72s0x7f_ffffffffffffffff: { hdr.packet.taken[7:4] = 2; }
            5: { hdr.packet.taken[7:4] = 3; }
            default: { }
        }
    }
}

control Verify(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Compute(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }

V1Switch(Parse(), Verify(), TestIngress(), TestEgress(), Compute(), Deparse()) main;

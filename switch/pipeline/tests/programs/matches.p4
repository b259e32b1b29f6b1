// Every kind of match, constant entries, hit and miss, action_run, direct counters.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>   choice;     // which table
    bit<8>   result;     // what it did
    bit<32>  address;
    bit<128> wide;
    bit<16>  port;
    bit<7>   flags;
    bit<1>   more;
}
header extra_t { bit<8> value; }
struct headers_t { packet_t packet; extra_t extra; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.packet);
        transition select(hdr.packet.more) { 1: extra; default: accept; }
    }
    state extra { packet.extract(hdr.extra); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    direct_counter(CounterType.packets_and_bytes) hits;

    action set(bit<8> result) { hdr.packet.result = result; }
    action set_other(bit<8> result) { hdr.packet.result = result; }
    action copy_wide(bit<128> value) { hdr.packet.wide = value; hdr.packet.result = 1; }
    action miss() { hdr.packet.result = 0xff; }
    action counted(bit<8> result) { hits.count(); hdr.packet.result = result; }

    table exact_narrow {
        key = { hdr.packet.address: exact; }
        actions = { set; copy_wide; miss; }
        default_action = miss();
        size = 4;
    }
    table exact_wide {
        key = { hdr.packet.wide: exact; hdr.packet.port: exact; }
        actions = { set; @defaultonly NoAction; }
    }
    table prefix {
        key = { hdr.packet.address: lpm; }
        actions = { set; miss; }
        default_action = miss();
    }
    table prefix_wide {
        key = { hdr.packet.port: exact; hdr.packet.wide: lpm; }
        actions = { set; miss; }
        default_action = miss();
    }
    table ternary_and_prefix {
        key = { hdr.packet.wide: ternary; hdr.packet.address: lpm; hdr.packet.flags: exact; }
        actions = { set; miss; }
        default_action = miss();
    }
    table ranges {
        key = { hdr.packet.port: range; hdr.packet.wide: range; hdr.packet.address: optional; }
        actions = { set; miss; }
        default_action = miss();
    }
    table constant {
        key = { hdr.packet.port: ternary; hdr.packet.flags: range; }
        actions = { set; miss; }
        const default_action = miss();
        const entries = {
            (0x8000 &&& 0x8000, 1..3): set(1);
            (0x8001, _): set(2);
            (_, 7): set(3);
        }
    }
    table validity {
        key = { hdr.extra.isValid(): exact; hdr.packet.address & 0xff: exact; }
        actions = { set; miss; }
        default_action = miss();
    }
    table counting {
        key = { hdr.packet.port: exact; }
        actions = { counted; miss; }
        default_action = miss();
        counters = hits;
    }
    table branching {
        key = { hdr.packet.port: exact; }
        actions = { set; set_other; miss; }
        default_action = miss();
    }

    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.packet.choice == 0) {
            exact_narrow.apply();
        } else if (hdr.packet.choice == 1) {
            if (!exact_wide.apply().hit) {
                hdr.packet.result = 0xee;
            }
        } else if (hdr.packet.choice == 2) {
            prefix.apply();
        } else if (hdr.packet.choice == 3) {
            prefix_wide.apply();
        } else if (hdr.packet.choice == 4) {
            ternary_and_prefix.apply();
        } else if (hdr.packet.choice == 5) {
            ranges.apply();
        } else if (hdr.packet.choice == 6) {
            constant.apply();
        } else if (hdr.packet.choice == 7) {
            validity.apply();
        } else if (hdr.packet.choice == 8) {
            counting.apply();
        } else {
            switch (branching.apply().action_run) {
                set: { hdr.packet.result = hdr.packet.result + 1; }
                set_other: { hdr.packet.result = hdr.packet.result + 2; }
                default: { hdr.packet.result = 0xdd; }
            }
        }
    }
}

control Deparse(packet_out packet, in headers_t hdr) {
    apply { packet.emit(hdr.packet); packet.emit(hdr.extra); }
}
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

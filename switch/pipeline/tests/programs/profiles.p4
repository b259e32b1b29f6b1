// Action profiles and selectors, alone and shared; idle timeouts; a table without any entry.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>  choice;     // which table
    bit<8>  key;
    bit<16> flow;       // what the selectors hash
    bit<16> other;
    bit<8>  result;     // what the action did
    bit<8>  after;      // where control went
}
struct headers_t { packet_t packet; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.packet); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    action_profile(4) members;
    action_selector(HashAlgorithm.identity, 64, 16) shared;
    action_selector(HashAlgorithm.crc16, 64, 14) hashed;
    direct_counter(CounterType.packets_and_bytes) hits;

    action set(bit<8> result) { hdr.packet.result = result; }
    action set_other(bit<8> result) { hdr.packet.result = result + 100; }
    action counted(bit<8> result) { hits.count(); hdr.packet.result = result; }

    table indirect {
        key = { hdr.packet.key: exact; }
        actions = { set; set_other; NoAction; }
        implementation = members;
    }
    table first {
        key = { hdr.packet.key: exact; hdr.packet.flow: selector; }
        actions = { set; set_other; NoAction; }
        implementation = shared;
    }
    table second {
        key = { hdr.packet.key: ternary; hdr.packet.flow: selector; }
        actions = { NoAction; set_other; set; }
        implementation = shared;
    }
    table branching {
        key = { hdr.packet.key: exact; hdr.packet.flow: selector; hdr.packet.other: selector; }
        actions = { set; set_other; NoAction; }
        implementation = hashed;
    }
    table idle {
        key = { hdr.packet.key: exact; }
        actions = { counted; NoAction; }
        counters = hits;
        support_timeout = true;
    }
    apply {
        if (hdr.packet.choice == 0) {
            indirect.apply();
        } else if (hdr.packet.choice == 1) {
            first.apply();
        } else if (hdr.packet.choice == 2) {
            second.apply();
        } else if (hdr.packet.choice == 3) {
            if (branching.apply().hit) {
                hdr.packet.after = 1;
            } else {
                hdr.packet.after = 2;
            }
        } else {
            idle.apply();
        }
        standard_metadata.egress_spec = 1;
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
control Verify(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Compute(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }

V1Switch(Parse(), Verify(), TestIngress(), TestEgress(), Compute(), Deparse()) main;

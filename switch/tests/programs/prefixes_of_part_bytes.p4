// Longest prefixes of fields whose widths are no whole bytes.
#include <core.p4>
#include <v1model.p4>

header keys_t {
    bit<9>  nine;
    bit<20> twenty;
    bit<33> thirty_three;
    bit<2>  two;
}
header found_t {
    bit<8> nine;
    bit<8> twenty;
    bit<8> thirty_three;
    bit<8> two;
}
struct headers_t { keys_t keys; found_t found; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.keys); packet.extract(hdr.found); transition accept; }
}

control Find(inout headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    action nine(bit<8> entry) { hdr.found.nine = entry; }
    action twenty(bit<8> entry) { hdr.found.twenty = entry; }
    action thirty_three(bit<8> entry) { hdr.found.thirty_three = entry; }
    action two(bit<8> entry) { hdr.found.two = entry; }
    table nines {
        key = { hdr.keys.nine: lpm; }
        actions = { nine; NoAction; }
        default_action = NoAction();
    }
    table twenties {
        key = { hdr.keys.twenty: lpm; }
        actions = { twenty; NoAction; }
        default_action = NoAction();
    }
    table thirty_threes {
        key = { hdr.keys.thirty_three: lpm; }
        actions = { thirty_three; NoAction; }
        default_action = NoAction();
    }
    table twos {
        key = { hdr.keys.two: lpm; }
        actions = { two; NoAction; }
        default_action = NoAction();
    }
    apply {
        standard_metadata.egress_spec = 1;
        nines.apply();
        twenties.apply();
        thirty_threes.apply();
        twos.apply();
    }
}

control NoEgress(inout headers_t hdr, inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) { apply { } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(Parse(), NoChecksum(), Find(), NoEgress(), NoChecksum(), Deparse()) main;

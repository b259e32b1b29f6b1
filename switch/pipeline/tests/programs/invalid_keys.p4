// Tables whose keys are fields of a header that may be invalid, whatever was written there.
#include <core.p4>
#include <v1model.p4>

header packet_t { bit<8> choice; bit<8> found; }
header value_t { bit<8> value; bit<128> wide; }
struct headers_t { packet_t packet; value_t value; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.packet);
        transition select(hdr.packet.choice) { 0: accept; default: more; }
    }
    state more { packet.extract(hdr.value); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    action found(bit<8> found) { hdr.packet.found = found; }
    table exact_values { key = { hdr.value.value: exact; } actions = { found; } }
    table wide_values {
        key = { hdr.value.value: exact; hdr.value.wide: exact; }
        actions = { found; }
    }
    table ranges { key = { hdr.value.value: range; } actions = { found; } }
    table masks { key = { hdr.value.isValid(): exact; hdr.value.value: ternary; } actions = { found; } }

    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.packet.choice == 0) {
            hdr.value.value = 7;
            hdr.value.wide = 7;
        } else if (hdr.packet.choice == 2) {
            hdr.value.setInvalid();
        }
        exact_values.apply();
        wide_values.apply();
        ranges.apply();
        masks.apply();
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

// Tables that can have an entry for all packets, with a counter and a meter for each entry. A packet leaves with
// the colors of the entries that it has hit.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<32> address;
    bit<16> port;
    bit<8>  prefix_color;
    bit<8>  mask_color;
}
struct headers_t { packet_t packet; }
struct metadata_t { bit<8> color; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.packet); transition accept; }
}

control Color(inout headers_t hdr, inout metadata_t meta,
              inout standard_metadata_t standard_metadata) {
    direct_meter<bit<8>>(MeterType.packets) prefix_rates;
    direct_counter(CounterType.packets_and_bytes) prefix_hits;
    direct_meter<bit<8>>(MeterType.packets) mask_rates;
    direct_counter(CounterType.packets_and_bytes) mask_hits;

    action by_prefix() {
        prefix_rates.read(meta.color);
        prefix_hits.count();
        hdr.packet.prefix_color = meta.color;
    }
    action by_mask() {
        mask_rates.read(meta.color);
        mask_hits.count();
        hdr.packet.mask_color = meta.color;
    }
    table prefixes {
        key = { hdr.packet.address: lpm; }
        actions = { by_prefix; @defaultonly NoAction; }
        default_action = NoAction();
        meters = prefix_rates;
        counters = prefix_hits;
    }
    table masks {
        key = { hdr.packet.address: ternary; hdr.packet.port: ternary; }
        actions = { by_mask; @defaultonly NoAction; }
        default_action = NoAction();
        meters = mask_rates;
        counters = mask_hits;
    }

    apply {
        standard_metadata.egress_spec = 1;
        prefixes.apply();
        masks.apply();
    }
}

control NoEgress(inout headers_t hdr, inout metadata_t meta,
                 inout standard_metadata_t standard_metadata) { apply { } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(Parse(), NoChecksum(), Color(), NoEgress(), NoChecksum(), Deparse()) main;

// Direct meters in packets and in bytes. The packet leaves with the color of the table's hit.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>  choice;
    bit<16> flow;
    bit<8>  color;
}
struct headers_t { packet_t packet; }
struct metadata_t { bit<8> packets_color; bit<2> bytes_color; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.packet); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    direct_meter<bit<8>>(MeterType.packets) packets;
    direct_meter<bit<2>>(MeterType.bytes) bytes;
    direct_counter(CounterType.packets_and_bytes) hits;

    action by_packets() { packets.read(meta.packets_color); hdr.packet.color = meta.packets_color; }
    action by_bytes(bit<8> offset) {
        bytes.read(meta.bytes_color);
        hits.count();
        hdr.packet.color = (bit<8>)meta.bytes_color + offset;
    }
    action missed() { hdr.packet.color = 0xdd; }
    table in_packets {
        key = { hdr.packet.flow: exact; }
        actions = { by_packets; @defaultonly missed; }
        default_action = missed;
        meters = packets;
    }
    table in_bytes {
        key = { hdr.packet.flow: ternary; }
        actions = { by_bytes; @defaultonly missed; }
        default_action = missed;
        meters = bytes;
        counters = hits;
    }

    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.packet.choice == 0) {
            in_packets.apply();
        } else {
            in_bytes.apply();
        }
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

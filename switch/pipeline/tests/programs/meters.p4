// Meter arrays in bytes and packets. The packet says which, and leaves with the color.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>  choice;
    bit<32> index;
    bit<8>  color;
}
struct headers_t { packet_t packet; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.packet); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    meter(4, MeterType.bytes) by_bytes;
    meter(3, MeterType.packets) by_packets;

    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.packet.choice == 0) {
            by_bytes.execute_meter(hdr.packet.index, hdr.packet.color);
        } else if (hdr.packet.choice == 1) {
            by_packets.execute_meter(hdr.packet.index, hdr.packet.color);
        } else {
            bit<1> narrow = 0;
            by_packets.execute_meter(hdr.packet.index, narrow);
            hdr.packet.color = (bit<8>)narrow;
        }
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

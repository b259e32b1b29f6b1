// Hashes of every algorithm that v1model names, and BMv2's ways with base and size.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>   choice;
    bit<128> key;
    bit<64>  base;
    bit<64>  size;
    bit<128> hash;
}
struct headers_t { packet_t packet; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.packet); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    bit<64> word;
    bit<16> half;
    apply {
        standard_metadata.egress_spec = 1;
        word = 0;
        bit<64> size = hdr.packet.size;
        if (hdr.packet.choice == 0) {
            hash(word, HashAlgorithm.crc16, hdr.packet.base, { hdr.packet.key }, size);
        } else if (hdr.packet.choice == 1) {
            hash(word, HashAlgorithm.crc16_custom, hdr.packet.base, { hdr.packet.key }, size);
        } else if (hdr.packet.choice == 2) {
            hash(word, HashAlgorithm.crc32, hdr.packet.base, { hdr.packet.key }, size);
        } else if (hdr.packet.choice == 3) {
            hash(word, HashAlgorithm.crc32_custom, hdr.packet.base, { hdr.packet.key }, size);
        } else if (hdr.packet.choice == 4) {
            hash(word, HashAlgorithm.csum16, hdr.packet.base, { hdr.packet.key }, size);
        } else if (hdr.packet.choice == 5) {
            hash(word, HashAlgorithm.xor16, hdr.packet.base, { hdr.packet.key }, size);
        } else if (hdr.packet.choice == 6) {
            hash(word, HashAlgorithm.identity, hdr.packet.base, { hdr.packet.key }, size);
        } else if (hdr.packet.choice == 7) {
            hash(word, HashAlgorithm.random, hdr.packet.base, { hdr.packet.key }, size);
        } else if (hdr.packet.choice == 8) {
            // Wide base and size: only their low 64 bits count.
            hash(word, HashAlgorithm.identity, 4w3 ++ hdr.packet.base, { hdr.packet.key },
                 4w7 ++ size);
        } else if (hdr.packet.choice == 9) {
            hash(half, HashAlgorithm.crc32, 16w0, { hdr.packet.key }, 64w0x1_0000_0000);
            word = (bit<64>)half;
        } else {
            // A header in the list, and nothing at all.
            bit<16> nothing;
            hash(nothing, HashAlgorithm.csum16, 16w0, {}, 32w0x10000);
            hash(half, HashAlgorithm.crc16, 16w0, { hdr.packet, 4w5 }, 32w0x10000);
            word = (bit<64>)(nothing ++ half);
        }
        hdr.packet.hash = (bit<128>)word;
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

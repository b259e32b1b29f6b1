// Checksums with and without payload, under conditions, of several algorithms. The packet says
// which one is verified or updated, and leaves with the verdict.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>  choice;
    bit<16> sum;
    bit<8>  wrong;
    bit<4>  nibble;
    bit<12> value;
}
header tail_t { bit<24> value; }
struct headers_t { packet_t packet; tail_t tail; }
struct metadata_t { bit<64> wide; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.packet);
        transition select(hdr.packet.choice) { 0x80 &&& 0x80: more; default: accept; }
    }
    state more { packet.extract(hdr.tail); transition accept; }
}

control Verify(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum_with_payload(hdr.packet.choice == 1,
            { hdr.packet.choice, hdr.packet.nibble, hdr.packet.value, 8w0x5a }, hdr.packet.sum,
            HashAlgorithm.csum16);
        verify_checksum_with_payload(hdr.packet.choice == 2, { hdr.packet.nibble },
            hdr.packet.sum, HashAlgorithm.crc16);
        verify_checksum(hdr.packet.choice == 3, { hdr.packet.nibble, hdr.packet.value },
            hdr.packet.sum, HashAlgorithm.crc16);
        verify_checksum(true, { hdr.packet.choice }, hdr.tail.value, HashAlgorithm.identity);
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        hdr.packet.wrong = (bit<8>)standard_metadata.checksum_error;
        if (hdr.packet.choice == 8) {
            truncate((bit<32>)hdr.packet.value);
        }
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply {
        if (hdr.packet.choice == 9) {
            truncate((bit<32>)hdr.packet.value);
        }
    }
}

control Update(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum_with_payload(hdr.packet.choice & 0x7f == 4,
            { hdr.packet.choice, hdr.tail }, hdr.packet.sum, HashAlgorithm.csum16);
        update_checksum_with_payload(hdr.packet.choice == 5, { hdr.packet.nibble },
            hdr.packet.sum, HashAlgorithm.crc32);
        update_checksum_with_payload(hdr.packet.choice == 8 || hdr.packet.choice == 9,
            { hdr.packet.choice }, hdr.packet.sum, HashAlgorithm.csum16);
        update_checksum(hdr.packet.choice == 6, { hdr.packet.nibble, hdr.packet.value },
            hdr.packet.sum, HashAlgorithm.crc16_custom);
    }
}

control Deparse(packet_out packet, in headers_t hdr) {
    apply { packet.emit(hdr.packet); packet.emit(hdr.tail); }
}
V1Switch(Parse(), Verify(), TestIngress(), TestEgress(), Update(), Deparse()) main;

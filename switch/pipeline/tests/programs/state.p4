// Registers of several widths, counters, hashes, random numbers, assertions, exit.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>   choice;
    bit<32>  index;
    bit<128> value;
}
struct headers_t { packet_t packet; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.packet); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    register<bit<9>>(3) narrow;
    register<bit<64>>(4) word;
    register<bit<128>>(2) wide;
    register<int<8>>(2) signed_cells;
    register<bit<200>>(2) very_wide;
    counter(3, CounterType.packets_and_bytes) seen;

    apply {
        standard_metadata.egress_spec = 1;
        seen.count(hdr.packet.index);
        if (hdr.packet.choice == 0) {
            bit<9> old;
            narrow.read(old, hdr.packet.index);
            narrow.write(hdr.packet.index, (bit<9>)hdr.packet.value);
            hdr.packet.value = (bit<128>)old;
        } else if (hdr.packet.choice == 1) {
            bit<64> old;
            word.read(old, hdr.packet.index);
            word.write(hdr.packet.index, old + (bit<64>)hdr.packet.value);
            hdr.packet.value = (bit<128>)old;
        } else if (hdr.packet.choice == 2) {
            bit<128> old;
            wide.read(old, hdr.packet.index);
            wide.write(hdr.packet.index, hdr.packet.value);
            hdr.packet.value = old;
        } else if (hdr.packet.choice == 3) {
            int<8> old;
            signed_cells.write(hdr.packet.index, (int<8>)(bit<8>)hdr.packet.value);
            signed_cells.read(old, hdr.packet.index);
            hdr.packet.value = (bit<128>)(int<128>)old;
        } else if (hdr.packet.choice == 4) {
            bit<16> crc;
            hash(crc, HashAlgorithm.crc16, 16w0, { hdr.packet.value }, 32w0x10000);
            hdr.packet.value = (bit<128>)crc;
        } else if (hdr.packet.choice == 5) {
            bit<32> crc;
            hash(crc, HashAlgorithm.crc32, 32w10, { hdr.packet.index, hdr.packet.value }, 32w100);
            hdr.packet.value = (bit<128>)crc;
        } else if (hdr.packet.choice == 6) {
            bit<64> other;
            hash(other, HashAlgorithm.identity, 64w0, { hdr.packet.value[63:0] }, 64w0);
            hash(other, HashAlgorithm.xor16, 64w0, { hdr.packet.value }, 64w0x10000);
            hdr.packet.value = (bit<128>)other;
        } else if (hdr.packet.choice == 7) {
            bit<16> number;
            random(number, 16w100, 16w103);
            hdr.packet.value = (bit<128>)number;
        } else if (hdr.packet.choice == 8) {
            assert(hdr.packet.index == 1);
            hdr.packet.value = 1;
        } else if (hdr.packet.choice == 9) {
            hdr.packet.value = 1;
            if (hdr.packet.index == 1) {
                exit;
            }
            hdr.packet.value = 2;
        } else if (hdr.packet.choice == 11) {
            bit<200> old;
            very_wide.read(old, hdr.packet.index);
            very_wide.write(hdr.packet.index, hdr.packet.value ++ old[127:56]);
            hdr.packet.value = old[199:72];
        } else {
            mark_to_drop(standard_metadata);
        }
        hdr.packet.choice = 0xaa;
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply {
        if (hdr.packet.index == 0xdead) {
            mark_to_drop(standard_metadata);
        }
    }
}

control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

// Headers added, removed and copied; the order of emission; the packet's length on the way; a
// checksum over two headers; what the switch says about packet and queue.
#include <core.p4>
#include <v1model.p4>

header command_t { bit<8> command; bit<16> checksum; }
header item_t { bit<8> tag; bit<24> value; }
header about_t {
    bit<9>  ingress_port;
    bit<9>  egress_port;
    bit<6>  padding;
    bit<32> packet_length;
    bit<48> ingress_timestamp;
    bit<48> egress_timestamp;
    bit<32> enq_timestamp;
    bit<19> enq_qdepth;
    bit<32> deq_timedelta;
    bit<19> deq_qdepth;
    bit<2>  more_padding;
}
struct headers_t { command_t command; item_t first; item_t second; about_t about; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.command);
        packet.extract(hdr.first);
        transition accept;
    }
}

control Verify(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(hdr.command.command == 9,
                        { hdr.command.command, hdr.first.value }, hdr.command.checksum,
                        HashAlgorithm.csum16);
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 7;
        if (hdr.command.command == 1) {
            hdr.second.setValid();
            hdr.second.tag = 0xbb;
        } else if (hdr.command.command == 2) {
            hdr.first.setInvalid();
        } else if (hdr.command.command == 3) {
            hdr.second = hdr.first;
            hdr.first.tag = 0xcc;
        } else if (hdr.command.command == 4) {
            hdr.first = hdr.second;
        } else if (hdr.command.command == 5) {
            hdr.first.setValid();
        } else if (hdr.command.command == 9) {
            hdr.first.tag = (bit<8>)standard_metadata.checksum_error;
        }
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply {
        if (hdr.command.command == 8) {
            hdr.about.setValid();
            hdr.about.ingress_port = standard_metadata.ingress_port;
            hdr.about.egress_port = standard_metadata.egress_port;
            hdr.about.packet_length = standard_metadata.packet_length;
            hdr.about.ingress_timestamp = standard_metadata.ingress_global_timestamp;
            hdr.about.egress_timestamp = standard_metadata.egress_global_timestamp;
            hdr.about.enq_timestamp = standard_metadata.enq_timestamp;
            hdr.about.enq_qdepth = standard_metadata.enq_qdepth;
            hdr.about.deq_timedelta = standard_metadata.deq_timedelta;
            hdr.about.deq_qdepth = standard_metadata.deq_qdepth;
        } else if (hdr.command.command == 2) {
            hdr.command.checksum = (bit<16>)standard_metadata.packet_length;
        }
    }
}

control Update(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.command.command == 6,
                        { hdr.command.command, hdr.first.value, hdr.second.value },
                        hdr.command.checksum, HashAlgorithm.csum16);
    }
}

control Deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.about);
        packet.emit(hdr.second);
        packet.emit(hdr.command);
        packet.emit(hdr.first);
    }
}
V1Switch(Parse(), Verify(), TestIngress(), TestEgress(), Update(), Deparse()) main;

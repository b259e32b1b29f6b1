// Header unions and a stack of them: one header of each is valid at most.
#include <core.p4>
#include <v1model.p4>

header command_t { bit<8> command; bit<8> kinds; }
header byte_t { bit<8> value; }
header word_t { bit<16> value; }
header more_t { bit<8> tag; bit<8> value; }
header_union either_t { byte_t byte; word_t word; more_t more; }
struct headers_t { command_t command; either_t first; either_t second; either_t[2] list; }
struct metadata_t { bit<1> known; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.command);
        transition select(hdr.command.kinds[1:0]) {
            0: byte;
            1: word;
            2: more;
            3: accept;
        }
    }
    state byte { packet.extract(hdr.first.byte); transition second; }
    state word { packet.extract(hdr.first.word); transition second; }
    state more { packet.extract(hdr.first.more); transition second; }
    // Both to one union: the later one stays.
    state second {
        transition select(hdr.command.kinds[3:2]) {
            0: list;
            1: again;
            2: second_word;
            3: accept;
        }
    }
    state again { packet.extract(hdr.first.byte); transition list; }
    state second_word { packet.extract(hdr.second.word); transition list; }
    state list {
        transition select(packet.lookahead<bit<8>>()) {
            0x10: list_byte;
            0x20: list_more;
            default: accept;
        }
    }
    state list_byte { packet.extract(hdr.list.next.byte); transition list; }
    state list_more { packet.extract(hdr.list.next.more); transition list; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.command.command == 1) {
            hdr.first.more.setValid();
            hdr.first.more = { 0xaa, 0xbb };
        } else if (hdr.command.command == 2) {
            hdr.first.word.setInvalid();
        } else if (hdr.command.command == 3) {
            hdr.second = hdr.first;
        } else if (hdr.command.command == 4) {
            hdr.second.byte = hdr.first.byte;
        } else if (hdr.command.command == 5) {
            hdr.list.push_front(1);
        } else if (hdr.command.command == 6) {
            hdr.list.pop_front(1);
        } else if (hdr.command.command == 7) {
            if (hdr.first.isValid()) { hdr.command.kinds = 0xf1; } else { hdr.command.kinds = 0xf0; }
        } else if (hdr.command.command == 8) {
            hdr.list[0] = hdr.first;
        } else if (hdr.command.command == 9) {
            hdr.list[1].word.setValid();
            hdr.list[1].word.value = 0xcccc;
        } else if (hdr.command.command == 10) {
            hdr.first.more.tag = 0xdd;
        }
    }
}

control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

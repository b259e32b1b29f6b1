// Header stacks: extracted in a loop, shifted, assigned, read and written at indexes that are known
// at run time only; what the parser says of it.
#include <core.p4>
#include <v1model.p4>

header report_t { bit<8> error_code; bit<8> value; bit<32> last_index; }
header command_t { bit<8> command; bit<8> index; }
// The highest bit of a tag tells that another item follows.
header item_t { bit<8> tag; bit<24> value; }
struct headers_t { report_t report; command_t command; item_t[3] items; item_t[3] copies; }
struct metadata_t { bit<8> last_tag; bit<32> last_index; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.command);
        transition select(hdr.command.command) {
            0xf0: last_of_none;
            0xf1: accept;
            default: items;
        }
    }
    state items {
        packet.extract(hdr.items.next);
        meta.last_index = hdr.items.lastIndex;
        transition select(hdr.items.last.tag) { 0x80 &&& 0x80: items; default: last; }
    }
    state last {
        meta.last_tag = hdr.items.last.tag;
        transition accept;
    }
    state last_of_none {
        transition select(hdr.items.last.tag) { 1: items; default: accept; }
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        hdr.report.setValid();
        if (standard_metadata.parser_error == error.NoError) {
            hdr.report.error_code = 0;
        } else if (standard_metadata.parser_error == error.StackOutOfBounds) {
            hdr.report.error_code = 1;
        } else {
            hdr.report.error_code = 2;
        }
        hdr.report.value = meta.last_tag;
        hdr.report.last_index = meta.last_index;
        if (hdr.command.command == 1) {
            hdr.items.push_front(1);
        } else if (hdr.command.command == 2) {
            hdr.items.push_front(2);
            hdr.items[0].setValid();
        } else if (hdr.command.command == 3) {
            hdr.items.push_front(7);
        } else if (hdr.command.command == 4) {
            hdr.items.pop_front(1);
        } else if (hdr.command.command == 5) {
            hdr.items.pop_front(2);
        } else if (hdr.command.command == 6) {
            hdr.items.pop_front(7);
        } else if (hdr.command.command == 7) {
            hdr.copies = hdr.items;
            hdr.items[0].value = 0xaaaaaa;
        } else if (hdr.command.command == 8) {
            hdr.items[hdr.command.index].value = 0xbbbbbb;
        } else if (hdr.command.command == 9) {
            hdr.report.value = hdr.items[hdr.command.index & 3].tag;
        } else if (hdr.command.command == 10) {
            hdr.items[hdr.command.index & 0xf].value =
                hdr.items[hdr.command.index >> 4].value + (bit<24>)hdr.command.index;
        } else if (hdr.command.command == 11) {
            hdr.items[1] = hdr.items[0];
        } else if (hdr.command.command == 12) {
            hdr.items[0] = hdr.items[2];
        } else if (hdr.command.command == 13) {
            if (hdr.items[0] == hdr.items[1]) {
                hdr.report.value = 1;
            } else {
                hdr.report.value = 0;
            }
        } else if (hdr.command.command == 14) {
            random(hdr.items[hdr.command.index].value, 5, 5);
        }
    }
}

control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

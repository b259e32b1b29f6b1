// Fields of a header stack's elements at an index that is known at run time only: of several limbs,
// with signs, read and written, by assignments and by primitives.
#include <core.p4>
#include <v1model.p4>

header report_t { int<32> small; bit<96> wide; int<96> signed_wide; }
header command_t { bit<8> command; bit<72> index; }
header item_t { int<8> small; bit<96> wide; int<96> signed_wide; }
struct headers_t { report_t report; command_t command; item_t[3] items; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.command);
        packet.extract(hdr.items.next);
        packet.extract(hdr.items.next);
        packet.extract(hdr.items.next);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    register<bit<96>>(2) remembered;

    @hidden
    action read(bit<72> index) {
        hdr.report.setValid();
        hdr.report.small = (int<32>)hdr.items[index].small;
        hdr.report.wide = hdr.items[index].wide;
        hdr.report.signed_wide = hdr.items[index].signed_wide;
    }

    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.command.command == 0) {
            read(hdr.command.index);
        } else if (hdr.command.command == 1) {
            hdr.items[hdr.command.index].wide = hdr.items[hdr.command.index].wide + 1;
        } else if (hdr.command.command == 2) {
            hdr.items[hdr.command.index].small = hdr.items[hdr.command.index].small - 100;
            hdr.items[hdr.command.index].signed_wide = -(hdr.items[0].signed_wide);
            if (hdr.items[hdr.command.index].small >= 0) {
                hdr.items[hdr.command.index].wide = (bit<96>)hdr.command.command;
            }
        } else if (hdr.command.command == 3) {
            remembered.write(1, hdr.items[hdr.command.index].wide);
            remembered.read(hdr.items[0].wide, 1);
        } else {
            // Out of the register's bounds: the element stays as it is.
            remembered.read(hdr.items[hdr.command.index].wide, 2);
        }
    }
}

control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

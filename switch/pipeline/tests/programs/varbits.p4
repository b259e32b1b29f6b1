// Fields of variable length: aligned and not, in a stack, assigned, compared, added and removed, in
// a checksum; long lookahead; the errors of it all.
#include <core.p4>
#include <v1model.p4>

header report_t { bit<8> error_code; bit<8> value; bit<16> checksum; bit<32> packet_length; }
header command_t { bit<8> command; bit<32> length_bits; }
header options_t { bit<8> tag; varbit<80> value; bit<16> end; }
header nibbles_t { bit<4> before; varbit<136> value; bit<4> behind; }
header only_t { varbit<32> value; }
header wide_t { bit<4> kind; bit<600> value; bit<4> end; }
struct headers_t {
    report_t report;
    command_t command;
    options_t options;
    options_t other;
    nibbles_t nibbles;
    only_t[2] list;
    wide_t wide;
}
struct metadata_t { bit<600> ahead; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.command);
        transition select(hdr.command.command[7:4]) {
            0: options;
            1: nibbles;
            2: both;
            3: list;
            4: twice;
            5: ahead;
            6: ahead_header;
            7: scaled;
            default: accept;
        }
    }
    state options {
        packet.extract(hdr.options, hdr.command.length_bits);
        transition accept;
    }
    state nibbles {
        packet.extract(hdr.nibbles, hdr.command.length_bits);
        transition accept;
    }
    state both {
        packet.extract(hdr.options, hdr.command.length_bits);
        packet.extract(hdr.other, 16);
        transition accept;
    }
    state list {
        packet.extract(hdr.list.next, hdr.command.length_bits);
        transition list;
    }
    state twice {
        packet.extract(hdr.options, hdr.command.length_bits);
        packet.extract(hdr.options, 8);
        transition accept;
    }
    state ahead {
        meta.ahead = packet.lookahead<bit<600>>();
        transition accept;
    }
    state ahead_header {
        hdr.wide = packet.lookahead<wide_t>();
        transition accept;
    }
    state scaled {
        packet.extract(hdr.options, (bit<32>)(((bit<16>)hdr.command.length_bits[3:0] - 2) << 3));
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        hdr.report.setValid();
        if (standard_metadata.parser_error == error.NoError) {
            hdr.report.error_code = 0;
        } else if (standard_metadata.parser_error == error.PacketTooShort) {
            hdr.report.error_code = 1;
        } else if (standard_metadata.parser_error == error.HeaderTooShort) {
            hdr.report.error_code = 2;
        } else if (standard_metadata.parser_error == error.ParserInvalidArgument) {
            hdr.report.error_code = 3;
        } else if (standard_metadata.parser_error == error.StackOutOfBounds) {
            hdr.report.error_code = 4;
        } else {
            hdr.report.error_code = 5;
        }
        if (hdr.command.command[3:0] == 1) {
            hdr.other = hdr.options;
        } else if (hdr.command.command[3:0] == 2) {
            hdr.other.value = hdr.options.value;
        } else if (hdr.command.command[3:0] == 3) {
            if (hdr.options.value == hdr.other.value) { hdr.report.value = 1; }
        } else if (hdr.command.command[3:0] == 4) {
            hdr.options.setInvalid();
        } else if (hdr.command.command[3:0] == 5) {
            hdr.options.setInvalid();
            hdr.options.setValid();
        } else if (hdr.command.command[3:0] == 6) {
            hdr.list.push_front(1);
        } else if (hdr.command.command[3:0] == 7) {
            hdr.report.value = meta.ahead[599:592];
        } else if (hdr.command.command[3:0] == 8) {
            if (hdr.options == hdr.other) { hdr.report.value = 1; }
        } else if (hdr.command.command[3:0] == 9) {
            hdr.options.end = 0xeeee;
        }
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply { hdr.report.packet_length = standard_metadata.packet_length; }
}
control Update(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.options.isValid(),
                        { hdr.options.tag, hdr.options.value, hdr.options.end },
                        hdr.report.checksum, HashAlgorithm.csum16);
    }
}
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), Update(), Deparse()) main;

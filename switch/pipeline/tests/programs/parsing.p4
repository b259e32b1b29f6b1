// Selects with masks, ranges and tuples, lookahead, advance, verify, a loop over options; the
// parser's error and the bytes that it read are reported in front of the rest of the frame.
#include <core.p4>
#include <v1model.p4>

error { BadKind }

header report_t { bit<32> error_code; bit<8> state; bit<24> ahead; bit<32> packet_length; }
header kind_t { bit<8> kind; }
header pair_t { bit<12> first; bit<4> second; }
header option_t { bit<8> length; }
struct headers_t { report_t report; kind_t kind; pair_t pair; option_t option; }
struct metadata_t { bit<8> state; bit<24> ahead; bit<32> skip; }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.kind);
        transition select(hdr.kind.kind) {
            0: accept;
            1: pair;
            2: look;
            3: options;
            4: skip_by_field;
            5: checked;
            0x40 &&& 0xf0: masked;
            100..102: ranged;
            0xfe: spin;
        }
    }
    state pair {
        packet.extract(hdr.pair);
        transition select(hdr.pair.first, hdr.pair.second) {
            (0xabc, 0xd): found_pair;
            (0x100 &&& 0xf00, _): found_masked;
            (_, 0x5): found_second;
            default: accept;
        }
    }
    state found_pair { meta.state = 1; transition accept; }
    state found_masked { meta.state = 2; transition accept; }
    state found_second { meta.state = 3; transition accept; }
    state look {
        meta.ahead = packet.lookahead<bit<24>>();
        transition select(packet.lookahead<bit<8>>()) { 0x77: found_look; default: accept; }
    }
    state found_look { packet.advance(16); meta.state = 4; transition accept; }
    // Options: a length in bytes, then as many bytes; a length of 0 ends the list.
    state options {
        packet.extract(hdr.option);
        meta.state = meta.state + 1;
        transition select(hdr.option.length) { 0: accept; default: option_body; }
    }
    state option_body {
        packet.advance((bit<32>)hdr.option.length << 3);
        transition options;
    }
    state skip_by_field {
        packet.extract(hdr.option);
        meta.skip = (bit<32>)hdr.option.length;
        packet.advance(meta.skip);
        transition accept;
    }
    state checked {
        packet.extract(hdr.option);
        verify(hdr.option.length > 9, error.BadKind);
        meta.state = 5;
        transition accept;
    }
    state masked { meta.state = 6; transition accept; }
    state ranged { meta.state = 7; transition accept; }
    state spin { transition select(hdr.kind.kind) { 0xfe: spin; default: accept; } }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        hdr.report.setValid();
        if (standard_metadata.parser_error == error.NoError) {
            hdr.report.error_code = 0;
        } else if (standard_metadata.parser_error == error.PacketTooShort) {
            hdr.report.error_code = 1;
        } else if (standard_metadata.parser_error == error.BadKind) {
            hdr.report.error_code = 2;
        } else if (standard_metadata.parser_error == error.ParserTimeout) {
            hdr.report.error_code = 3;
        } else if (standard_metadata.parser_error == error.ParserInvalidArgument) {
            hdr.report.error_code = 4;
        } else {
            hdr.report.error_code = 5;
        }
        hdr.report.state = meta.state;
        hdr.report.ahead = meta.ahead;
        hdr.report.packet_length = standard_metadata.packet_length;
        standard_metadata.egress_spec = 1;
    }
}

control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.report); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

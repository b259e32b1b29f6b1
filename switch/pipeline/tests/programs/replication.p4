// Copies of packets and packets that start over: the frame says what to do, egress writes what it
// saw behind that.
#include <core.p4>
#include <v1model.p4>

// What to do in ingress.
const bit<8> CLONE = 1;
const bit<8> RESUBMIT_ONCE = 2;
const bit<8> RESUBMIT_ALWAYS = 3;
const bit<8> MULTICAST = 4;
const bit<8> MULTICAST_THEN_DROP = 5;
const bit<8> DROP_THEN_MULTICAST = 6;
const bit<8> CLONE_AND_DROP = 7;
const bit<8> CLONE_TWICE = 8;
const bit<8> TRUNCATE = 9;
const bit<8> RECIRCULATE_ONCE = 10; // egress does it
const bit<8> CLONE_AND_RESUBMIT_ONCE = 11;
// What to do in egress: CLONE, CLONE_AND_DROP, TRUNCATE, and
const bit<8> DROP = 12;
const bit<8> RECIRCULATE_ALWAYS = 13;
const bit<8> CLONE_ALWAYS = 14; // copies, too
const bit<8> CLONE_AND_RECIRCULATE_ONCE = 15;

header request_t {
    bit<8> ingress;
    bit<8> egress;
    bit<16> argument; // session, group or length
    bit<8> port;
    bit<8> priority;
}

header seen_t {
    bit<8> changed_by_ingress;
    bit<8> kept;
    bit<8> lost;
    bit<8> instance_type;
    bit<8> ingress_port;
    bit<8> egress_port;
    bit<16> egress_rid;
    bit<16> packet_length;
    bit<8> runs_of_ingress_that_read_the_clock;
    bit<8> parser_error;
}

struct headers_t { request_t request; seen_t seen; }
struct metadata_t {
    @field_list(1) bit<8> kept;
    bit<8> lost;
    @field_list(1, 2) bit<70> wide;
}

parser TestParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.request);
        packet.extract(hdr.seen);
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        bit<8> what = hdr.request.ingress;
        bool first = standard_metadata.instance_type == 0;
        standard_metadata.egress_spec = (bit<9>)hdr.request.port;
        standard_metadata.priority = (bit<3>)hdr.request.priority;
        hdr.seen.changed_by_ingress = hdr.seen.changed_by_ingress + 1;
        meta.kept = meta.kept + 1;
        meta.lost = meta.lost + 1;
        meta.wide = meta.wide + (70w1 << 68) + 1;
        if (standard_metadata.ingress_global_timestamp != 0) {
            hdr.seen.runs_of_ingress_that_read_the_clock =
                hdr.seen.runs_of_ingress_that_read_the_clock + 1;
        }
        if (what == CLONE) {
            clone_preserving_field_list(CloneType.I2E, (bit<32>)hdr.request.argument, 1);
            meta.kept = meta.kept + 1;
        } else if (what == CLONE_TWICE) {
            clone(CloneType.I2E, 999);
            clone(CloneType.I2E, (bit<32>)hdr.request.argument);
        } else if (what == CLONE_AND_DROP) {
            mark_to_drop(standard_metadata);
            clone_preserving_field_list(CloneType.I2E, (bit<32>)hdr.request.argument, 2);
        } else if (what == CLONE_AND_RESUBMIT_ONCE && first) {
            clone(CloneType.I2E, (bit<32>)hdr.request.argument);
            resubmit_preserving_field_list(1);
        } else if (what == RESUBMIT_ONCE && first) {
            mark_to_drop(standard_metadata);
            resubmit_preserving_field_list(1);
        } else if (what == RESUBMIT_ALWAYS) {
            resubmit_preserving_field_list(1);
        } else if (what == MULTICAST) {
            standard_metadata.mcast_grp = hdr.request.argument;
            standard_metadata.egress_spec = 511;
        } else if (what == MULTICAST_THEN_DROP) {
            standard_metadata.mcast_grp = hdr.request.argument;
            mark_to_drop(standard_metadata);
        } else if (what == DROP_THEN_MULTICAST) {
            mark_to_drop(standard_metadata);
            standard_metadata.mcast_grp = hdr.request.argument;
        } else if (what == TRUNCATE) {
            truncate((bit<32>)hdr.request.argument);
            truncate((bit<32>)hdr.request.argument + 1);
        }
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply {
        bit<8> what = hdr.request.egress;
        bool is_clone = standard_metadata.instance_type == 2;
        bool has_restarted = hdr.seen.changed_by_ingress > 1;
        if (what == CLONE && !is_clone) {
            clone_preserving_field_list(CloneType.E2E, (bit<32>)hdr.request.argument, 1);
        } else if (what == CLONE_AND_DROP && !is_clone) {
            clone(CloneType.E2E, (bit<32>)hdr.request.argument);
            mark_to_drop(standard_metadata);
        } else if (what == CLONE_ALWAYS) {
            clone(CloneType.E2E, (bit<32>)hdr.request.argument);
        } else if (what == DROP) {
            recirculate_preserving_field_list(1);
            mark_to_drop(standard_metadata);
        } else if (what == RECIRCULATE_ONCE && !has_restarted) {
            recirculate_preserving_field_list(1);
        } else if (what == CLONE_AND_RECIRCULATE_ONCE && !is_clone && !has_restarted) {
            clone(CloneType.E2E, (bit<32>)hdr.request.argument);
            recirculate_preserving_field_list(1);
        } else if (what == RECIRCULATE_ALWAYS) {
            recirculate_preserving_field_list(1);
        } else if (what == TRUNCATE) {
            truncate((bit<32>)hdr.request.argument);
        }
        hdr.seen.kept = meta.kept;
        hdr.seen.lost = meta.lost;
        hdr.seen.instance_type = (bit<8>)standard_metadata.instance_type;
        hdr.seen.ingress_port = (bit<8>)standard_metadata.ingress_port;
        hdr.seen.egress_port = (bit<8>)standard_metadata.egress_port;
        hdr.seen.egress_rid = standard_metadata.egress_rid;
        hdr.seen.packet_length = (bit<16>)standard_metadata.packet_length;
        if (standard_metadata.parser_error != error.NoError) {
            hdr.seen.parser_error = 1;
        }
    }
}

control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }

control Deparse(packet_out packet, in headers_t hdr) {
    apply { packet.emit(hdr.request); packet.emit(hdr.seen); }
}

V1Switch(TestParser(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

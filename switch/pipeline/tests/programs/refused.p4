// One construct at a time that the target does not support: -D<CONSTRUCT> chooses it, and the
// product is refused/<construct>.json.
#include <core.p4>
#include <v1model.p4>

header byte_t { bit<8> value; }
#ifdef DIGEST
struct seen_t { bit<8> value; }
#endif
#ifdef VARBIT
header many_t { varbit<64> values; }
#endif
#ifdef HEADER_UNION
header_union either_t { byte_t one; byte_t other; }
#endif

struct headers_t {
    byte_t first;
#ifdef HEADER_STACK
    byte_t[2] stack;
#endif
#ifdef HEADER_UNION
    either_t either;
#endif
#ifdef VARBIT
    many_t many;
#endif
}
struct metadata_t { bit<8> value; @field_list(1) bit<8> kept; }

parser TestParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
#ifdef VALUE_SET
    value_set<bit<8>>(4) known;
#endif
    state start {
        packet.extract(hdr.first);
#ifdef HEADER_STACK
        packet.extract(hdr.stack.next);
#endif
#ifdef HEADER_UNION
        packet.extract(hdr.either.one);
#endif
#ifdef VARBIT
        packet.extract(hdr.many, (bit<32>)hdr.first.value);
#endif
#ifdef VALUE_SET
        transition select(hdr.first.value) { known: more; default: accept; }
    }
    state more {
        meta.value = 1;
#endif
        transition accept;
    }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
#ifdef METER
    meter(4, MeterType.bytes) rate;
#endif
#ifdef DIRECT_METER
    direct_meter<bit<8>>(MeterType.bytes) rate;
#endif
#ifdef ACTION_PROFILE
    action_profile(4) implementation_;
#endif
#ifdef ACTION_SELECTOR
    action_selector(HashAlgorithm.crc16, 4, 8) implementation_;
#endif
#ifdef WIDE_REGISTER
    register<bit<256>>(1) cells;
#endif
    action set(bit<8> value) {
        hdr.first.value = value;
#ifdef DIRECT_METER
        rate.read(meta.value);
#endif
#ifdef LOOP
        for (bit<8> i = 0; i < hdr.first.value; i = i + 1) { meta.value = meta.value + i; }
#endif
    }
    table values {
        key = {
            hdr.first.value: exact;
#ifdef ACTION_SELECTOR
            meta.value: selector;
#endif
        }
        actions = { set; }
#if defined(ACTION_PROFILE) || defined(ACTION_SELECTOR)
        implementation = implementation_;
#endif
#ifdef DIRECT_METER
        meters = rate;
#endif
#ifdef IDLE_TIMEOUT
        support_timeout = true;
#endif
    }
    apply {
        values.apply();
#ifdef METER
        rate.execute_meter(32w0, meta.value);
#endif
#ifdef CLONE
        clone(CloneType.I2E, 32w5);
#endif
#ifdef RESUBMIT
        resubmit_preserving_field_list(1);
#endif
#ifdef DIGEST
        digest<seen_t>(1, { hdr.first.value });
#endif
#ifdef MULTICAST
        standard_metadata.mcast_grp = 1;
#endif
#ifdef PRIORITY
        standard_metadata.priority = 1;
#endif
#ifdef LOG_MSG
        log_msg("value {}", { hdr.first.value });
#endif
#ifdef TRUNCATE
        truncate(20);
#endif
#ifdef CUSTOM_CRC
        hash(meta.value, HashAlgorithm.crc16_custom, 8w0, { hdr.first.value }, 16w4);
#endif
#ifdef WIDE_REGISTER
        cells.write(0, (bit<256>)hdr.first.value);
#endif
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply {
#ifdef RECIRCULATE
        recirculate_preserving_field_list(1);
#endif
    }
}

control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Update(inout headers_t hdr, inout metadata_t meta) {
    apply {
#ifdef PAYLOAD_CHECKSUM
        update_checksum_with_payload(true, { hdr.first.value }, hdr.first.value,
                                     HashAlgorithm.csum16);
#endif
    }
}

control Deparse(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.first);
#ifdef HEADER_STACK
        packet.emit(hdr.stack);
#endif
#ifdef HEADER_UNION
        packet.emit(hdr.either);
#endif
    }
}
V1Switch(TestParser(), NoChecksum(), TestIngress(), TestEgress(), Update(), Deparse()) main;

// What a controller programs beside plain tables: a parser value set, a digest, idle timeouts,
// meters, action profiles and the packet replication engine. Each table is looked up in turn.
#include <core.p4>
#include <v1model.p4>

header ethernet_t {
    bit<48> destination;
    bit<48> source;
    bit<16> ether_type;
}

header tag_t {
    bit<16> value;
}

struct headers_t {
    ethernet_t ethernet;
    tag_t      tag;
}

struct metadata_t {
    bit<2> table_color;
    bit<2> port_color;
}

struct sighting_t {
    bit<48> source;
    bit<9>  port;
}

parser ResourcesParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                       inout standard_metadata_t standard_metadata) {
    value_set<bit<16>>(4) tagged;

    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            tagged: parse_tag;
            default: accept;
        }
    }
    state parse_tag {
        packet.extract(hdr.tag);
        transition accept;
    }
}

control ResourcesVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control ResourcesIngress(inout headers_t hdr, inout metadata_t meta,
                         inout standard_metadata_t standard_metadata) {
    meter(4, MeterType.bytes) port_rates;
    direct_meter<bit<2>>(MeterType.packets) class_rates;
    direct_counter(CounterType.packets_and_bytes) hit_counts;
    action_profile(4) next_hops;
    action_selector(HashAlgorithm.crc16, 32w16, 32w10) paths;

    action forward(bit<9> port) {
        standard_metadata.egress_spec = port;
    }
    action flood(bit<16> group) {
        standard_metadata.mcast_grp = group;
    }
    action mirror(bit<9> port) {
        standard_metadata.egress_spec = port;
        clone(CloneType.I2E, 5);
    }
    action drop() {
        mark_to_drop(standard_metadata);
    }
    action learn() {
        digest<sighting_t>(1, { hdr.ethernet.source, standard_metadata.ingress_port });
    }
    action classify() {
        class_rates.read(meta.table_color);
    }

    table sources {
        key = { hdr.ethernet.source: exact; }
        actions = { NoAction; learn; }
        default_action = learn();
        support_timeout = true;
    }
    table classes {
        key = { hdr.ethernet.destination: exact; }
        actions = { classify; }
        meters = class_rates;
    }
    table hits {
        key = { hdr.ethernet.ether_type: exact; }
        actions = { flood; mirror; NoAction; }
        default_action = NoAction();
        counters = hit_counts;
    }
    table routes {
        key = { hdr.ethernet.destination: lpm; }
        actions = { forward; drop; NoAction; }
        implementation = next_hops;
    }
    table balanced {
        key = {
            hdr.ethernet.destination: exact;
            hdr.ethernet.source: selector;
        }
        actions = { forward; drop; NoAction; }
        implementation = paths;
    }

    table preset {
        key = { hdr.ethernet.ether_type: exact; }
        actions = { drop; NoAction; }
        entries = {
            0x88cc: drop();
        }
        default_action = NoAction();
    }

    apply {
        sources.apply();
        port_rates.execute_meter((bit<32>)standard_metadata.ingress_port, meta.port_color);
        routes.apply();
        balanced.apply();
        hits.apply();
        preset.apply();
        if (classes.apply().hit && meta.table_color == 2) {
            mark_to_drop(standard_metadata);
        }
        if (meta.port_color == 2 || hdr.tag.isValid()) {
            mark_to_drop(standard_metadata);
        }
    }
}

control ResourcesEgress(inout headers_t hdr, inout metadata_t meta,
                        inout standard_metadata_t standard_metadata) {
    apply { }
}

control ResourcesComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control ResourcesDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.tag);
    }
}

V1Switch(ResourcesParser(), ResourcesVerifyChecksum(), ResourcesIngress(), ResourcesEgress(),
         ResourcesComputeChecksum(), ResourcesDeparser()) main;

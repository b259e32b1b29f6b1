// A plain IPv4 router: checks the header, decrements the time to live, finds the route by longest
// prefix, and rewrites the MAC addresses for the next hop.
#include <core.p4>
#include <v1model.p4>

const bit<16> ETHER_TYPE_IPV4 = 0x0800;

header ethernet_t {
    bit<48> destination;
    bit<48> source;
    bit<16> ether_type;
}

header ipv4_t {
    bit<4>  version;
    bit<4>  header_words;
    bit<8>  traffic_class;
    bit<16> total_length;
    bit<16> identification;
    bit<3>  flags;
    bit<13> fragment_offset;
    bit<8>  time_to_live;
    bit<8>  protocol;
    bit<16> checksum;
    bit<32> source;
    bit<32> destination;
}

struct headers_t {
    ethernet_t ethernet;
    ipv4_t     ipv4;
}

struct metadata_t {
    bit<32> next_hop;
}

error {
    HasIpv4Options
}

parser RouterParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            ETHER_TYPE_IPV4: parse_ipv4;
            default: accept;
        }
    }
    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        verify(hdr.ipv4.version == 4 && hdr.ipv4.header_words == 5, error.HasIpv4Options);
        transition accept;
    }
}

control RouterVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        verify_checksum(hdr.ipv4.isValid(),
            { hdr.ipv4.version, hdr.ipv4.header_words, hdr.ipv4.traffic_class,
              hdr.ipv4.total_length, hdr.ipv4.identification, hdr.ipv4.flags,
              hdr.ipv4.fragment_offset, hdr.ipv4.time_to_live, hdr.ipv4.protocol,
              hdr.ipv4.source, hdr.ipv4.destination },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control RouterIngress(inout headers_t hdr, inout metadata_t meta,
                      inout standard_metadata_t standard_metadata) {
    action drop() {
        mark_to_drop(standard_metadata);
    }
    action route(bit<32> next_hop, bit<9> port) {
        meta.next_hop = next_hop;
        standard_metadata.egress_spec = port;
        hdr.ipv4.time_to_live = hdr.ipv4.time_to_live - 1;
    }
    table routes {
        key = { hdr.ipv4.destination: lpm; }
        actions = { route; drop; }
        default_action = drop();
        size = 16384;
    }
    action set_destination(bit<48> destination) {
        hdr.ethernet.destination = destination;
    }
    table neighbours {
        key = { meta.next_hop: exact; }
        actions = { set_destination; drop; }
        default_action = drop();
        size = 1024;
    }
    apply {
        if (hdr.ipv4.isValid() && standard_metadata.checksum_error == 0
            && standard_metadata.parser_error == error.NoError && hdr.ipv4.time_to_live > 1) {
            if (routes.apply().hit) {
                neighbours.apply();
            }
        } else {
            drop();
        }
    }
}

control RouterEgress(inout headers_t hdr, inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    action drop() {
        mark_to_drop(standard_metadata);
    }
    action set_source(bit<48> source) {
        hdr.ethernet.source = source;
    }
    table interfaces {
        key = { standard_metadata.egress_port: exact; }
        actions = { set_source; drop; }
        default_action = drop();
        size = 512;
    }
    apply {
        interfaces.apply();
    }
}

control RouterComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid(),
            { hdr.ipv4.version, hdr.ipv4.header_words, hdr.ipv4.traffic_class,
              hdr.ipv4.total_length, hdr.ipv4.identification, hdr.ipv4.flags,
              hdr.ipv4.fragment_offset, hdr.ipv4.time_to_live, hdr.ipv4.protocol,
              hdr.ipv4.source, hdr.ipv4.destination },
            hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control RouterDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
    }
}

V1Switch(RouterParser(), RouterVerifyChecksum(), RouterIngress(), RouterEgress(),
         RouterComputeChecksum(), RouterDeparser()) main;

// A switch that knows where stations are, floods what is for others, and counts what arrives.
#include <core.p4>
#include <v1model.p4>

const bit<16> EVERYBODY = 1;    // the multicast group of all ports

header ethernet_t {
    bit<48> destination;
    bit<48> source;
    bit<16> ether_type;
}

struct headers_t {
    ethernet_t ethernet;
}

struct metadata_t {
}

parser FirstParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    state start {
        packet.extract(hdr.ethernet);
        transition accept;
    }
}

control FirstVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control FirstIngress(inout headers_t hdr, inout metadata_t meta,
                     inout standard_metadata_t standard_metadata) {
    counter(512, CounterType.packets_and_bytes) arrivals;

    action forward(bit<9> port) {
        standard_metadata.egress_spec = port;
    }
    action flood() {
        standard_metadata.mcast_grp = EVERYBODY;
    }
    table stations {
        key = { hdr.ethernet.destination: exact; }
        actions = { forward; flood; }
        default_action = flood();
        size = 1024;
    }

    apply {
        arrivals.count((bit<32>)standard_metadata.ingress_port);
        stations.apply();
    }
}

control FirstEgress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        // A frame never goes back to where it came from.
        if (standard_metadata.egress_port == standard_metadata.ingress_port) {
            mark_to_drop(standard_metadata);
        }
    }
}

control FirstComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control FirstDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
    }
}

V1Switch(FirstParser(), FirstVerifyChecksum(), FirstIngress(), FirstEgress(),
         FirstComputeChecksum(), FirstDeparser()) main;

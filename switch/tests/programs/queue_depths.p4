// Packets tell of the queue that they were in: how many others it held, when they came and left.
#include <core.p4>
#include <v1model.p4>

header told_t {
    bit<8>  priority;
    bit<8>  number;
    bit<32> enqueued;
    bit<32> dequeued;
}
struct headers_t { told_t told; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.told); transition accept; }
}

control Forward(inout headers_t hdr, inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        standard_metadata.priority = hdr.told.priority[2:0];
    }
}

control Tell(inout headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    apply {
        hdr.told.enqueued = (bit<32>)standard_metadata.enq_qdepth;
        hdr.told.dequeued = (bit<32>)standard_metadata.deq_qdepth;
    }
}

control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr); } }
V1Switch(Parse(), NoChecksum(), Forward(), Tell(), NoChecksum(), Deparse()) main;

// log_msg, assert and assume.
#include <core.p4>
#include <v1model.p4>

header packet_t {
    bit<8>   choice;
    int<16>  number;
    bit<128> wide;
}
struct headers_t { packet_t packet; }
struct metadata_t { }

parser Parse(packet_in packet, out headers_t hdr, inout metadata_t meta,
             inout standard_metadata_t standard_metadata) {
    state start { packet.extract(hdr.packet); transition accept; }
}

control TestIngress(inout headers_t hdr, inout metadata_t meta,
                    inout standard_metadata_t standard_metadata) {
    apply {
        standard_metadata.egress_spec = 1;
        if (hdr.packet.choice == 0) {
            log_msg("nothing to say");
        } else if (hdr.packet.choice == 1) {
            log_msg("{} of \\{{}\\} on {}: {}", { hdr.packet.number, hdr.packet.wide,
                    standard_metadata.ingress_port, hdr.packet.isValid() });
        }
        assert(hdr.packet.choice != 2);
        assume(hdr.packet.choice != 3);
    }
}

control TestEgress(inout headers_t hdr, inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    apply { log_msg("egress {}", { hdr.packet.choice }); }
}
control Deparse(packet_out packet, in headers_t hdr) { apply { packet.emit(hdr.packet); } }
control NoChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
V1Switch(Parse(), NoChecksum(), TestIngress(), TestEgress(), NoChecksum(), Deparse()) main;

// Packets from and to the controllers beside the mailbox's, as in ../packet_io/packet_io.p4.
#ifndef TNA_PACKET_IO_P4
#define TNA_PACKET_IO_P4

#include "headers.p4"
#include "../ids.p4"

// Of a meter's colors red alone has it: 3 on a Tofino, 2 on v1model.
const bit<8> RED = 2;

// Runs for a frame that a controller sends to a port. It leaves as it is, a wrong checksum included, and
// passes the port's limit. The parser has left that unparsed which is for no port.
control SendFrame(in headers_t hdr,
                  inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    // By the port that the controller named: one that no frame can be sent to.
    @id(REFUSED_PACKET_OUTS_COUNTER_ID) @p4runtime_role(ROLE_FORWARDING)
    counter(PORT_COUNT, CounterType.packets_and_bytes) refused_packet_outs;

    apply {
        standard_metadata.egress_spec = hdr.packet_out.egress_port;
        meta.renew_checksum = false;
        if (hdr.ethernet.isValid()) {
            meta.forwarded = true;
        } else {
            refused_packet_outs.count((bit<32>)hdr.packet_out.egress_port);
        }
    }
}

// Runs for what goes to no port: what the trap table has found, unless its class exceeds its rate, goes to
// the controller; the rest is dropped.
control SendToController(inout headers_t hdr,
                         in metadata_t meta,
                         in port_t ingress_port,
                         inout bit<3> drop_ctl) {
    @id(EXCESS_PACKET_INS_COUNTER_ID)
    counter(PACKET_IN_CLASS_COUNT, CounterType.packets_and_bytes) excess_packet_ins;

    // One after the other: no instruction takes the port and a constant to the words that they share.
    action name_port() { hdr.packet_in.ingress_port = ingress_port; }

    action name_reason() {
        hdr.packet_in.target_egress_port = DROP_PORT;
        hdr.packet_in.reason = PACKET_IN_REDIRECTED;
    }

    apply {
        if (!hdr.packet_in.isValid()) {
            drop_ctl = 1;
        } else if (meta.trap.color & RED != 0) {
            excess_packet_ins.count((bit<32>)meta.trap.packet_in_class);
            drop_ctl = 1;
        } else {
            name_port();
            name_reason();
        }
    }
}

#endif

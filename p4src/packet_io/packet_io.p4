// Packets from and to the controllers beside the mailbox's, and copies of packets: they share the ports
// with what is forwarded.
//
//   a packet-out to a port      passes the port's limit like any other frame
//   what is redirected          leaves by the CPU port, where there is no limit
//   copies, by any group or clone session   come into being behind the limit: they bypass it and are
//                               counted by the port that they leave by
#ifndef PACKET_IO_P4
#define PACKET_IO_P4

#include "../headers.p4"
#include "../ids.p4"

const bit<32> REPLICATED = 5;  // an instance type, of copies for a multicast group

// Runs in ingress for a frame that a controller sends to a port.
control SendFrame(in headers_t hdr,
                  inout metadata_t meta,
                  inout standard_metadata_t standard_metadata) {
    // By the port that the controller named: one that no frame can be sent to.
    @id(REFUSED_PACKET_OUTS_COUNTER_ID) @p4runtime_role(ROLE_FORWARDING)
    counter(PORT_COUNT, CounterType.packets_and_bytes) refused_packet_outs;

    apply {
        port_t port = hdr.packet_out.egress_port;
        if (hdr.ethernet.isValid() && port < CPU_PORT) {
            standard_metadata.egress_spec = port;
            meta.forwarded = true;
        } else {
            refused_packet_outs.count((bit<32>)port);
            mark_to_drop(standard_metadata);
        }
    }
}

// Runs in ingress for what the trap table has found, once the tables have said where it goes.
control SendToController(inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    apply {
        if (meta.packet_in_reason == PACKET_IN_REDIRECTED) {
            if (meta.is_excess) {
                mark_to_drop(standard_metadata);
            } else {
                meta.target_egress_port = DROP_PORT;
                standard_metadata.egress_spec = CPU_PORT;
            }
        } else if (meta.packet_in_reason == PACKET_IN_COPIED && !meta.is_excess) {
            meta.copied_from_port = standard_metadata.ingress_port;
            meta.target_egress_port = meta.forwarded ? standard_metadata.egress_spec : DROP_PORT;
            clone_preserving_field_list(CloneType.I2E, COPY_SESSION, COPY_FIELDS);
        }
    }
}

// Runs in egress for every packet. All that leaves by the CPU port has the controller's header: a server
// takes the first bytes for it, whatever they are.
control Depart(inout headers_t hdr,
               in metadata_t meta,
               inout standard_metadata_t standard_metadata) {
    @id(BYPASSING_PACKETS_COUNTER_ID)
    counter(PORT_COUNT, CounterType.packets_and_bytes) bypassing_packets;

    apply {
        if (standard_metadata.egress_port == CPU_PORT) {
            hdr.packet_in.setValid();
            hdr.packet_in.ingress_port = meta.packet_in_reason == PACKET_IN_COPIED
                ? meta.copied_from_port : standard_metadata.ingress_port;
            hdr.packet_in.reason = meta.packet_in_reason;
            hdr.packet_in.target_egress_port = meta.packet_in_reason == PACKET_IN_FORWARDED
                ? CPU_PORT : meta.target_egress_port;
        } else if (meta.adaptive.admission_stamp == 0) {
            if (standard_metadata.instance_type == REPLICATED
                && standard_metadata.egress_port == standard_metadata.ingress_port) {
                mark_to_drop(standard_metadata);
            } else {
                bypassing_packets.count((bit<32>)standard_metadata.egress_port);
            }
        }
    }
}

#endif

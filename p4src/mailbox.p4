// The controller's way to the registers, also where P4Runtime serves none (BMv2): a packet-out
// names a port and what to write, a packet-in brings back all of the port's registers.
// Ingress does both in one pass, so the snapshot is of one instant.
#ifndef MAILBOX_P4
#define MAILBOX_P4

#include "headers.p4"
#include "registers.p4"

control Mailbox(inout headers_t hdr, inout standard_metadata_t standard_metadata) {
    Departures() departures;

    apply {
        port_index_t port = (port_index_t)hdr.packet_out.port;
        time_us_t now_us = (time_us_t)standard_metadata.ingress_global_timestamp;
        if (port >= PORT_COUNT || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata);
        } else {
            hdr.packet_in.setValid();
            hdr.packet_in.port = hdr.packet_out.port;
            hdr.packet_in.sequence = hdr.packet_out.sequence;
            hdr.packet_in.timestamp_us = now_us;
            admitted_bytes.read(hdr.packet_in.admitted_bytes, port);
            dropped_bytes.read(hdr.packet_in.dropped_bytes, port);
            // Before the write: what has drained until now has drained at the old rate.
            departures.apply(port, now_us, hdr.packet_in.admitted_bytes,
                             hdr.packet_in.departed_bytes);
            if (hdr.packet_out.operation & MAILBOX_WRITE_QUEUE_LIMIT != 0) {
                queue_limit_bytes.write(port, hdr.packet_out.queue_limit_bytes);
            }
            if (hdr.packet_out.operation & MAILBOX_WRITE_DRAIN_RATE != 0) {
                drain_rate.write(port, hdr.packet_out.drain_rate);
            }
            queue_limit_bytes.read(hdr.packet_in.queue_limit_bytes, port);
            drain_rate.read(hdr.packet_in.drain_rate, port);
            hdr.packet_out.setInvalid();
            standard_metadata.egress_spec = CPU_PORT;
        }
    }
}

#endif

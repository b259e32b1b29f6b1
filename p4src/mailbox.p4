// The controller's way to the registers, also where P4Runtime serves none (BMv2): a packet-out
// names a port and what to write, a packet-in brings back the port's registers.
// Ingress does both in one pass, so the snapshot is of one instant.
#ifndef MAILBOX_P4
#define MAILBOX_P4

#include "headers.p4"
#include "registers.p4"
#include "backlog_extremes.p4"

control Mailbox(inout headers_t hdr,
                inout metadata_t meta,
                inout standard_metadata_t standard_metadata) {
    Departures() departures;
    BacklogExtremes() backlog_extremes;

    apply {
        time_us_t waited_us;
        byte_count_t backlog;
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
                             hdr.packet_in.departed_bytes, meta);
            unsaturated_us.read(hdr.packet_in.unsaturated_us, port);
            unsaturated_wait_us.read(waited_us, port);
            hdr.packet_in.unsaturated_us = hdr.packet_in.unsaturated_us + waited_us;
            unsaturated_bytes.read(hdr.packet_in.unsaturated_bytes, port);
            backlog = hdr.packet_in.admitted_bytes - hdr.packet_in.departed_bytes;
            backlog_extremes.apply(port, backlog, backlog);
            least_backlog_bytes.read(hdr.packet_in.least_backlog_bytes, port);
            greatest_backlog_bytes.read(hdr.packet_in.greatest_backlog_bytes, port);
            measured_window.read(hdr.packet_in.backlog_window, port);
            if (hdr.packet_out.operation & MAILBOX_WRITE_QUEUE_LIMIT != 0) {
                queue_limit_bytes.write(port, hdr.packet_out.queue_limit_bytes);
            }
            if (hdr.packet_out.operation & MAILBOX_WRITE_DRAIN_RATE != 0) {
                drain_rate.write(port, hdr.packet_out.drain_rate);
            }
            if (hdr.packet_out.operation & MAILBOX_START_BACKLOG_WINDOW != 0) {
                // Whatever number the window before had: this one starts here.
                backlog_window.write(port, hdr.packet_out.sequence);
                measured_window.write(port, hdr.packet_out.sequence);
                least_backlog_bytes.write(port, backlog);
                greatest_backlog_bytes.write(port, backlog);
            }
            if (hdr.packet_out.operation & MAILBOX_WRITE_ECN_MARKING != 0) {
                ecn_marking.write(port, hdr.packet_out.ecn_marking);
            }
            queue_limit_bytes.read(hdr.packet_in.queue_limit_bytes, port);
            drain_rate.read(hdr.packet_in.drain_rate, port);
            ecn_marking.read(hdr.packet_in.ecn_marking, port);
            marked_bytes.read(hdr.packet_in.marked_bytes, port);
            hdr.packet_out.setInvalid();
            standard_metadata.egress_spec = CPU_PORT;
        }
    }
}

#endif

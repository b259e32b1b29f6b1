// The mailbox: a controller reads and writes registers by packets, also where P4Runtime serves no registers
// (BMv2). A packet-out names queues and what to write. The same packet comes back as a packet-in, with the
// record of each queue filled in; mailbox_packet.p4 lays it out. A packet-out is a request if it goes to the
// CPU port and has the mailbox's EtherType. All other packet-outs belong to packet_io/.
// Ingress serves a request in one pass and in one action. BMv2 lets no other thread touch a register
// until an action ends, so each snapshot is of one instant.
#ifndef ADAPTIVE_MAILBOX_P4
#define ADAPTIVE_MAILBOX_P4

#include "mailbox_packet.p4"
#include "registers.p4"
#include "measurement/backlog_extremes.p4"

control Mailbox(inout mailbox_packet_t hdr, inout standard_metadata_t standard_metadata) {
    // The record that is being served, and its queue. BMv2 reads no register into an element of a stack.
    record_count_t i;
    queue_index_t queue;

    @hidden
    action read_counters(in time_us_t now_us, out byte_count_t backlog) {
        byte_count_t admitted;
        byte_count_t departed;
        byte_count_t bytes;
        time_us_t time_us;
        time_us_t waited_us;
        bool found_empty;
        admitted_bytes.read(admitted, queue);
        take_departures(queue, now_us, admitted, departed, found_empty, time_us);
        hdr.records[i].admitted_bytes = admitted;
        hdr.records[i].departed_bytes = departed;
        backlog = admitted - departed;
        dropped_bytes.read(bytes, queue);
        hdr.records[i].dropped_bytes = bytes;
        unsaturated_us.read(time_us, queue);
        unsaturated_wait_us.read(waited_us, queue);
        hdr.records[i].unsaturated_us = time_us + waited_us;
        unsaturated_bytes.read(bytes, queue);
        hdr.records[i].unsaturated_bytes = bytes;
#ifdef MARK_PACKETS
        marked_bytes.read(bytes, queue);
        hdr.records[i].marked_bytes = bytes;
#endif
#ifdef MEASURE_FLOWS
        active_flow_us.read(time_us, queue);
        hdr.records[i].active_flow_us = time_us;
        long_flow_us.read(time_us, queue);
        hdr.records[i].long_flow_us = time_us;
        untracked_bytes.read(bytes, queue);
        hdr.records[i].untracked_bytes = bytes;
        timed_bytes.read(bytes, queue);
        hdr.records[i].timed_bytes = bytes;
        timed_byte_us.read(time_us, queue);
        hdr.records[i].timed_byte_us = time_us;
#endif
    }

    @hidden
    action read_backlog_extremes(in byte_count_t backlog) {
        byte_count_t bytes;
        sequence_t number;
        extend_backlog_extremes(queue, backlog, backlog);
        least_backlog_bytes.read(bytes, queue);
        hdr.records[i].least_backlog_bytes = bytes;
        greatest_backlog_bytes.read(bytes, queue);
        hdr.records[i].greatest_backlog_bytes = bytes;
        measured_window.read(number, queue);
        hdr.records[i].backlog_window = number;
    }

    // Starts here, whatever number the window before had.
    @hidden
    action start_backlog_window(in sequence_t number, in byte_count_t backlog) {
        backlog_window.write(queue, number);
        measured_window.write(queue, number);
        least_backlog_bytes.write(queue, backlog);
        greatest_backlog_bytes.write(queue, backlog);
    }

    @hidden
    action write_settings(in mailbox_operation_t operation) {
        byte_count_t bytes;
        drain_rate_t rate;
        if (operation & MAILBOX_WRITE_QUEUE_LIMIT != 0) {
            queue_limit_bytes.write(queue, hdr.records[i].queue_limit_bytes);
        }
        if (operation & MAILBOX_WRITE_DRAIN_RATE != 0) {
            drain_rate.write(queue, hdr.records[i].drain_rate);
        }
        queue_limit_bytes.read(bytes, queue);
        hdr.records[i].queue_limit_bytes = bytes;
        drain_rate.read(rate, queue);
        hdr.records[i].drain_rate = rate;
#ifdef MARK_PACKETS
        ecn_marking_t marking;
        if (operation & MAILBOX_WRITE_ECN_MARKING != 0) {
            ecn_marking.write(queue, hdr.records[i].ecn_marking);
        }
        ecn_marking.read(marking, queue);
        hdr.records[i].ecn_marking = marking;
#endif
    }

    @hidden
    action serve_records() {
        for (i = 0; i < hdr.head.record_count; i = i + 1) {
            byte_count_t backlog;
            mailbox_operation_t operation = hdr.records[i].operation;
            queue = hdr.records[i].port;
            // A queue that does not exist leaves its record as it is.
            if (queue < QUEUE_COUNT) {
                hdr.records[i].operation = operation | MAILBOX_SERVED;
                // Counters first: what has drained until now has drained at the old rate.
                read_counters((time_us_t)standard_metadata.ingress_global_timestamp, backlog);
                read_backlog_extremes(backlog);
                if (operation & MAILBOX_START_BACKLOG_WINDOW != 0) {
                    start_backlog_window(hdr.head.sequence, backlog);
                }
                write_settings(operation);
            }
        }
    }

    apply {
        if (standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata);
        } else {
            serve_records();
            hdr.head.timestamp_us = (time_us_t)standard_metadata.ingress_global_timestamp;
            standard_metadata.egress_spec = CPU_PORT;
        }
    }
}

#endif

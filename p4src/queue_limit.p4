// Tail drop before the queue. Every packet that has an egress port comes here. The limit is the port's
// own, or what the queues leave to it of a memory that they share (memory/), whichever is less:
//
//   backlog = admitted - departed
//   backlog + packet <= limit  -->  admitted += packet, stamp it, on to the queue
//   an empty queue             -->  the same, however long the packet: else none of its length would
//                                   ever pass
//   otherwise                  -->  dropped  += packet, or marked (ecn_marking.p4)
//
// What the memory has no room for is dropped in any case.
#ifndef QUEUE_LIMIT_P4
#define QUEUE_LIMIT_P4

#include "headers.p4"
#include "registers.p4"
#include "measurement/backlog_extremes.p4"
#include "ecn_marking.p4"

control QueueLimit(inout headers_t hdr,
                   inout metadata_t meta,
                   inout standard_metadata_t standard_metadata) {
    RecordAdmission() record_admission;
    ShareMemory() share_memory;
    EcnMarking() mark;

    apply {
        port_index_t port = (port_index_t)standard_metadata.egress_spec;
        // The project's one definition of packet length: the Ethernet frame without its FCS.
        byte_count_t frame_bytes = (byte_count_t)standard_metadata.packet_length;
        byte_count_t admitted;
        byte_count_t dropped;
        byte_count_t departed;
        byte_count_t limit;
        byte_count_t backlog;
        admitted_bytes.read(admitted, port);
        take_departures(port, (time_us_t)standard_metadata.ingress_global_timestamp, admitted,
                        departed, meta.found_empty, meta.unsaturated_until_us);
        backlog = admitted - departed;
        queue_limit_bytes.read(limit, port);
        bool turned_away;
        share_memory.apply(port, frame_bytes, limit, turned_away);
        if (!turned_away && !meta.found_empty && limit != 0 && backlog + frame_bytes > limit) {
            mark.apply(hdr, port, frame_bytes, backlog + frame_bytes, limit, turned_away);
        }
        if (turned_away) {
            dropped_bytes.read(dropped, port);
            dropped_bytes.write(port, dropped + frame_bytes);
            mark_to_drop(standard_metadata);
        } else {
            admitted = admitted + frame_bytes;
            admitted_bytes.write(port, admitted);
            meta.admission_stamp = admitted;
            record_admission.apply(port, frame_bytes);
        }
        extend_backlog_extremes(port, backlog, admitted - departed);
    }
}

#endif

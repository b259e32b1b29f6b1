// Tail drop before the queue. Every packet that has an egress port comes here. The limit is the smaller of
// two: the queue's own limit, and what a shared memory leaves to the queue (memory/).
//
//   backlog = admitted - departed
//   backlog + packet <= limit  -->  admitted += packet, stamp it, on to the queue
//   an empty queue             -->  the same, whatever the packet's length: otherwise a packet that is
//                                   longer than the limit would never pass
//   otherwise                  -->  dropped  += packet, or marked (ecn_marking.p4)
//
// A packet for which a shared memory has no room is always dropped.
//
// QueueLimit judges a packet; Admit counts and drops. A program that marks packets does so between the two.
#ifndef ADAPTIVE_QUEUE_LIMIT_P4
#define ADAPTIVE_QUEUE_LIMIT_P4

#include "types.p4"
#include "registers.p4"
#include "measurement/backlog_extremes.p4"

// A packet at its queue.
struct admission_t {
    queue_index_t queue;
    byte_count_t frame_bytes;
    byte_count_t admitted;     // before this packet
    byte_count_t backlog;      // likewise
    byte_count_t limit;
    bool         beyond_limit;
    bool         turned_away;  // beyond the limit, or the memory has no room
}

control QueueLimit(inout adaptive_metadata_t meta,
                   in standard_metadata_t standard_metadata,
                   out admission_t admission) {
    ShareMemory() share_memory;

    apply {
        admission.queue = QUEUE_INDEX(standard_metadata.priority, standard_metadata.egress_spec);
        // The project's one definition of packet length: the Ethernet frame without its FCS.
        admission.frame_bytes = (byte_count_t)standard_metadata.packet_length;
        admitted_bytes.read(admission.admitted, admission.queue);
        byte_count_t departed;
        take_departures(admission.queue, (time_us_t)standard_metadata.ingress_global_timestamp,
                        admission.admitted, departed, meta.found_empty, meta.unsaturated_until_us);
        admission.backlog = admission.admitted - departed;
        queue_limit_bytes.read(admission.limit, admission.queue);
        share_memory.apply(admission.queue, admission.frame_bytes, admission.limit, admission.turned_away);
        admission.beyond_limit = false;
        if (!admission.turned_away && !meta.found_empty && admission.limit != 0
            && admission.backlog + admission.frame_bytes > admission.limit) {
            admission.beyond_limit = true;
            admission.turned_away = true;
        }
    }
}

control Admit(inout adaptive_metadata_t meta,
              inout standard_metadata_t standard_metadata,
              in admission_t admission) {
    RecordAdmission() record_admission;

    apply {
        byte_count_t left = admission.backlog;
        if (admission.turned_away) {
            byte_count_t dropped;
            dropped_bytes.read(dropped, admission.queue);
            dropped_bytes.write(admission.queue, dropped + admission.frame_bytes);
            mark_to_drop(standard_metadata);
        } else {
            byte_count_t admitted = admission.admitted + admission.frame_bytes;
            admitted_bytes.write(admission.queue, admitted);
            meta.admission_stamp = admitted;
            record_admission.apply(admission.queue, admission.frame_bytes);
            left = left + admission.frame_bytes;
        }
        extend_backlog_extremes(admission.queue, admission.backlog, left);
    }
}

#endif

// Departures from the real queue.
//
//   ingress: admit, stamp = admitted bytes so far --> FIFO --> egress: departed = stamp
//
// The queue is first in, first out, so a packet's departure proves that all bytes stamped before
// it have left, on the wire or lost in a queue that overflowed. The next departure thus repairs
// any loss. If nothing follows the lost packets, the queue looks like that of a paused link: it holds
// bytes and none departs. After STALL_TIMEOUT_US without a departure one packet is admitted, whatever the
// limit. If the queue was empty, this packet's departure repairs the count. Otherwise it waits with the
// others, and the next one is admitted after as much time again.
//
// Each queue of a port is counted by itself, in whatever order the port serves them (overtaken_queue.p4).
#ifndef ADAPTIVE_DEPARTURES_P4
#define ADAPTIVE_DEPARTURES_P4

#include "../registers.p4"
#include "../measurement/unsaturated_time.p4"

// A queue that moves sends a packet every MTU/C: 1514 bytes take less than 1 s at rates above 12 kbit/s.
const time_us_t STALL_TIMEOUT_US = 1000000;

#include "overtaken_queue.p4"

// A packet that was alone in its queue waits only for the frame before it, and no longer than this (1514
// bytes at 92 kbit/s). If it has waited longer, the link has stalled.
const time_us_t FRAME_WAIT_MAX_US = 1 << 17;

// The admitted bytes when the queue was last found to stand still. Bytes up to here that have not departed
// are stuck. Writer: ingress.
@id(STALLED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) stalled_bytes;

// When ingress last found the queue empty or stuck. Unsaturated time is counted up to here, and busy time
// begins no earlier. Writer: ingress.
@id(BUSY_SINCE_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT)    busy_since_us;

// Length of the frame that was admitted last; 0 once it counts among the unsaturated bytes, or is stuck.
// Writer: ingress.
@id(LAST_FRAME_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) last_frame_bytes;

// Returns the bytes that have left the queue. If the queue is empty or stuck, also returns up to when
// unsaturated time has been counted.
@hidden
action take_departures(in queue_index_t queue,
                       in time_us_t now_us,
                       in byte_count_t admitted,
                       out byte_count_t departed,
                       out bool found_empty,
                       out time_us_t unsaturated_until_us) {
    byte_count_t stalled;
    byte_count_t last_frame;
    time_us_t departed_us;
    time_us_t since_us;
    time_us_t elapsed_us = 0;
    bool stands = false;
    bool overtaken = false;
    found_empty = false;
    unsaturated_until_us = 0;
    departed_bytes.read(departed, queue);
    stalled_bytes.read(stalled, queue);
    departed_at_us.read(departed_us, queue);
    busy_since_us.read(since_us, queue);
    if (since_us >= departed_us) {
        stands = stalled == admitted;
    } else {
        since_us = departed_us;
    }
    // Egress may have stamped a moment after now_us: then no time has passed.
    if (now_us > since_us) {
        elapsed_us = now_us - since_us;
    }
    if (departed == admitted || stands) {
        if (departed != admitted) {
            find_overtaken(queue, now_us, overtaken);
        }
        if (!overtaken) {
            last_frame_bytes.read(last_frame, queue);
            last_frame_bytes.write(queue, 0);
            count_unsaturated(queue, elapsed_us, last_frame);
        }
        since_us = since_us + elapsed_us;
        busy_since_us.write(queue, since_us);
        found_empty = true;
        unsaturated_until_us = since_us;
    } else if (elapsed_us > STALL_TIMEOUT_US) {
        // A stuck queue is sending nothing, and a stall is no idle time.
        find_overtaken(queue, now_us, overtaken);
        stalled_bytes.write(queue, admitted);
        last_frame_bytes.write(queue, 0);
        busy_since_us.write(queue, now_us);
        found_empty = true;
        unsaturated_until_us = now_us;
    }
    release_lost_memory(queue, now_us, departed_us,
                        found_empty && departed != admitted && !overtaken, admitted);
}

// Runs in ingress, when the queue limit lets a packet pass.
control RecordAdmission(in queue_index_t queue, in byte_count_t frame_bytes) {
    apply {
        last_frame_bytes.write(queue, frame_bytes);
        occupy_memory(frame_bytes);
    }
}

#ifdef MEASURE_FLOWS
// When the packet that is in egress left the queue: now.
control TellDeparture(in standard_metadata_t standard_metadata, out time_us_t departure_us) {
    apply {
        departure_us = (time_us_t)standard_metadata.egress_global_timestamp;
    }
}
#endif

// Runs in egress, when the packet leaves the queue. Writes the time before the count, so that whoever
// reads the new count also reads its time.
control RecordDeparture(in adaptive_metadata_t meta, in standard_metadata_t standard_metadata) {
    apply {
        if (meta.admission_stamp != 0) {
            queue_index_t queue = QUEUE_INDEX(standard_metadata.priority, standard_metadata.egress_port);
            time_us_t now_us = (time_us_t)standard_metadata.egress_global_timestamp;
            time_us_t until_us = now_us;
            note_turn(queue, now_us, until_us);
            if (meta.found_empty && until_us > meta.unsaturated_until_us
                && until_us - meta.unsaturated_until_us <= FRAME_WAIT_MAX_US) {
                time_us_t waited_us;
                unsaturated_wait_us.read(waited_us, queue);
                unsaturated_wait_us.write(
                    queue, waited_us + (until_us - meta.unsaturated_until_us));
            }
            departed_at_us.write(queue, now_us);
            departed_bytes.write(queue, meta.admission_stamp);
            release_memory(queue, meta.admission_stamp);
        }
    }
}

#endif

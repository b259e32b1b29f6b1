// Every queue has memory of its own: its limit is all that holds it.
#ifndef ADAPTIVE_MEMORY_P4
#define ADAPTIVE_MEMORY_P4

#include "../queues.p4"

control ShareMemory(in queue_index_t queue,
                    in byte_count_t frame_bytes,
                    inout byte_count_t limit,
                    out bool is_full) {
    apply { is_full = false; }
}

// What departures/queue.p4 tells of a memory that queues share. No actions: p4c would leave empty ones to
// be run.
#define occupy_memory(frame_bytes)
#define release_memory(queue, up_to)
#define release_lost_memory(queue, now_us, departed_us, stands, admitted)

#endif

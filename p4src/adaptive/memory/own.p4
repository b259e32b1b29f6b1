// Each queue has its own memory: only its limit bounds it. memory/shared.p4 is the alternative.
#ifndef ADAPTIVE_MEMORY_P4
#define ADAPTIVE_MEMORY_P4

#include "../queues.p4"

control ShareMemory(in queue_index_t queue,
                    in byte_count_t frame_bytes,
                    inout byte_count_t limit,
                    out bool is_full) {
    apply { is_full = false; }
}

// departures/queue.p4 calls these for shared memory. Macros, not actions: p4c keeps empty actions, which
// would take time.
#define occupy_memory(frame_bytes)
#define release_memory(queue, up_to)
#define release_lost_memory(queue, now_us, departed_us, stands, admitted)

#endif

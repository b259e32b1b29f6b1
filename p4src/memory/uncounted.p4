// What departures/queue.p4 tells of a memory that queues share, where they share none. No actions: p4c
// would leave empty ones to be run.
#ifndef MEMORY_UNCOUNTED_P4
#define MEMORY_UNCOUNTED_P4

#define occupy_memory(frame_bytes)
#define release_memory(port, up_to)
#define release_lost_memory(port, now_us, departed_us, stands, admitted)

#endif

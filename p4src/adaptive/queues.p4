// A port has one queue, or eight if SEVERAL_QUEUES is defined before any file of this folder is included.
// v1model chooses one of the eight by a packet's priority; a higher number is served first.
#ifndef ADAPTIVE_QUEUES_P4
#define ADAPTIVE_QUEUES_P4

#include "types.p4"

typedef bit<32> queue_index_t;  // queue * PORT_COUNT + port

// One register element per queue. That of a port's queue 0 has the port's number.
#ifdef SEVERAL_QUEUES
typedef bit<3> queue_t;  // v1model's priority
#define QUEUE_COUNT (8 * PORT_COUNT)
#define QUEUE_INDEX(queue, port) (queue_index_t)((queue) ++ (port))
#else
#define QUEUE_COUNT PORT_COUNT
#define QUEUE_INDEX(queue, port) (queue_index_t)(port)
#endif

#endif

// A port has one queue, or eight where SEVERAL_QUEUES is defined before anything of this folder is included.
// v1model names one of eight by its priority, the highest number first in line.
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

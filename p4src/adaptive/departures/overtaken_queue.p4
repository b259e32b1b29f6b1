// What a queue needs to know about the other queues of its port.
//
//   departure that leaves the queue empty       arrival                 departure
//   |<-- its transmission -->|<-- others' frames -->|<-- others' frames -->|
//   |<------------- unsaturated time ------------->|<-- it has something to send -->|
//
// A frame that was alone in its queue first waits for its own queue's frame before it. When a frame of another
// queue leaves, that wait is over for certain, and it waits for other queues. A queue that sends nothing while
// another one sends is *overtaken*: the port's link works, so no time is idle and nothing is lost.
#ifndef ADAPTIVE_OVERTAKEN_QUEUE_P4
#define ADAPTIVE_OVERTAKEN_QUEUE_P4

#include "../registers.p4"

#ifdef SEVERAL_QUEUES

// The number of the port's queue that sent the last frame. Writer: egress.
@id(LAST_QUEUE_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<queue_t>(PORT_COUNT) last_queue;

// When another queue sent the first frame after this queue's last frame. Writer: egress.
@id(OVERTAKEN_AT_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT) overtaken_at_us;

// Runs in egress, when a packet leaves the queue. Lowers until_us to the time at which the queue's own last
// frame had certainly been sent.
@hidden
action note_turn(in queue_index_t queue, in time_us_t now_us, inout time_us_t until_us) {
    queue_t last;
    port_t port = (port_t)queue;
    last_queue.read(last, (bit<32>)port);
    if (last != queue[11:9]) {
        time_us_t overtaken_us;
        last_queue.write((bit<32>)port, queue[11:9]);
        overtaken_at_us.write(QUEUE_INDEX(last, port), now_us);
        overtaken_at_us.read(overtaken_us, queue);
        if (overtaken_us < until_us) {
            until_us = overtaken_us;
        }
    }
}

// Runs in ingress for a queue without departures for STALL_TIMEOUT_US: whether the port serves other queues.
@hidden
action find_overtaken(in queue_index_t queue, in time_us_t now_us, out bool overtaken) {
    queue_t last;
    time_us_t served_us;
    port_t port = (port_t)queue;
    last_queue.read(last, (bit<32>)port);
    departed_at_us.read(served_us, QUEUE_INDEX(last, port));
    overtaken = last != queue[11:9] && served_us + STALL_TIMEOUT_US > now_us;
}

#else

// Macros, not actions: p4c keeps empty actions, which would take time.
#define note_turn(queue, now_us, until_us)
#define find_overtaken(queue, now_us, overtaken)

#endif

#endif

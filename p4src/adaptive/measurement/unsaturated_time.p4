// Unsaturated time: how long nothing waited behind the frame that the link was sending, and what it sent then:
//
//   departure that leaves the queue empty          next departure
//   |<-- transmission of that frame -->|<-- idle -->|
//   |<-------------- unsaturated time ------------->|
//
// A link of C bit/s has been idle for unsaturated time - 8 * unsaturated bytes / C, whatever happened
// in between. In all other time it has sent at C. So the data plane need not know C, and an error of C
// matters for these few bytes only. Sums wrap at 2^64.
#ifndef ADAPTIVE_UNSATURATED_TIME_P4
#define ADAPTIVE_UNSATURATED_TIME_P4

#include "../registers.p4"

@hidden
action count_unsaturated(in queue_index_t queue,
                         in time_us_t elapsed_us,
                         in byte_count_t sent_bytes) {
    time_us_t time_us;
    byte_count_t bytes;
    if (elapsed_us != 0) {
        unsaturated_us.read(time_us, queue);
        unsaturated_us.write(queue, time_us + elapsed_us);
    }
    if (sent_bytes != 0) {
        unsaturated_bytes.read(bytes, queue);
        unsaturated_bytes.write(queue, bytes + sent_bytes);
    }
}

#endif

// The least and the greatest backlog of a window of time, as ingress sees it: the least before a
// packet is added, the greatest after. What could be taken from the limit at once without a
// moment's idleness is the least; what the queue has needed is the greatest.
//
// A window is named by a number, so that the controller can tell which one the extremes are of:
// it starts a new one by another number, and the next packet takes it over.
#ifndef ADAPTIVE_BACKLOG_EXTREMES_P4
#define ADAPTIVE_BACKLOG_EXTREMES_P4

#include "../registers.p4"

@hidden
action extend_backlog_extremes(in queue_index_t queue,
                               in byte_count_t found_bytes,
                               in byte_count_t left_bytes) {
    sequence_t wanted;
    sequence_t measured;
    byte_count_t least;
    byte_count_t greatest;
    backlog_window.read(wanted, queue);
    measured_window.read(measured, queue);
    if (wanted != measured) {
        measured_window.write(queue, wanted);
        least_backlog_bytes.write(queue, found_bytes);
        greatest_backlog_bytes.write(queue, left_bytes);
    } else {
        least_backlog_bytes.read(least, queue);
        if (found_bytes < least) {
            least_backlog_bytes.write(queue, found_bytes);
        }
        greatest_backlog_bytes.read(greatest, queue);
        if (left_bytes > greatest) {
            greatest_backlog_bytes.write(queue, left_bytes);
        }
    }
}

#endif

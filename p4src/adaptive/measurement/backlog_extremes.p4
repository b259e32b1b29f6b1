// The minimum and maximum backlog in a window of time, as ingress sees it: the minimum before a packet is
// added, the maximum after. The maximum is what the queue has needed. The minimum is by how much the limit
// could have been lower without idling the link.
//
// Each window has a number, so that the controller knows to which window the extremes belong. The controller
// writes another number to start a new window, which begins with the next packet.
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

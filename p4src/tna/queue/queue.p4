// The queue of a port in the traffic manager, in the place of ../virtual_queue.p4 for ../ingress.p4.
//
//   backlog + frame <= limit   the frame is admitted
//   otherwise                  it is dropped
//
// The backlog is the queue's length at its last report. What has been admitted since is not in it, so
// a limit is exceeded by what comes in within the time that a packet takes to the queue and a report
// back. A limit smaller than a frame lets frames in while the queue is empty.
#ifndef TNA_QUEUE_P4
#define TNA_QUEUE_P4

// For ../ingress.p4, which finds its queue by these.
#define TNA_VIRTUAL_QUEUE_P4
#define VirtualQueue Queue
#define virtual_queue queue

#include "../headers.p4"
#include "../byte_clock.p4"
#include "ghost.p4"

const bytes_t UNLIMITED_BYTES = 0xffffffff;

control Queue(in port_t port,
              in bool is_request,
              in bytes_t frame_bytes,
              inout time_words_t time,
              in bytes_t limit_bytes,
              inout queue_words_t words,
              inout passage_t passage) {
    Register<bytes_t, port_t>(PORT_COUNT, 0) admitted_bytes;  // the lower words, see ../wraps.p4
    Register<bytes_t, port_t>(PORT_COUNT, 0) dropped_bytes;

    bit<32> pairs;
    bytes_t near;
    bytes_t middle;
    bytes_t far;
    bytes_t room;      // the greatest backlog that leaves place for the frame
    bytes_t beyond;    // by how much the backlog is more than that

    RegisterAction<bit<32>, port_t, bit<32>>(queue_cell_pairs) read_length = {
        void apply(inout bit<32> value, out bit<32> length) {
            length = value;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(admitted_bytes) add_to_admitted = {
        void apply(inout bytes_t value, out bytes_t total) {
            value = value + frame_bytes;
            total = value;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(admitted_bytes) read_from_admitted = {
        void apply(inout bytes_t value, out bytes_t total) {
            total = value;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(dropped_bytes) add_to_dropped = {
        void apply(inout bytes_t value, out bytes_t total) {
            value = value + frame_bytes;
            total = value;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(dropped_bytes) read_from_dropped = {
        void apply(inout bytes_t value, out bytes_t total) {
            total = value;
        }
    };

    action add_admitted() { passage.admitted_bytes = add_to_admitted.execute(port); }
    action read_admitted() { passage.admitted_bytes = read_from_admitted.execute(port); }
    action add_dropped() { passage.dropped_bytes = add_to_dropped.execute(port); }
    action read_dropped() { passage.dropped_bytes = read_from_dropped.execute(port); }

    // A cell has 176 bytes: 352 = 256 + 64 + 32.
    action shift() { near = pairs << 8; middle = pairs << 6; far = pairs << 5; }
    action add_far() { middle = middle + far; }
    action add_near() { passage.found = near + middle; passage.left = near + middle; }
    action be_unlimited() { room = UNLIMITED_BYTES; }
    action leave_room() { room = limit_bytes |-| frame_bytes; }
    action compare() { beyond = passage.found |-| room; }

    apply {
        pairs = read_length.execute(port);
        shift();
        add_far();
        add_near();
        if (limit_bytes == 0) {
            be_unlimited();
        } else {
            leave_room();
        }
        compare();

        if (is_request) {
            passage.dropped = false;
            read_admitted();
            read_dropped();
        } else if (beyond == 0) {
            passage.dropped = false;
            add_admitted();
            read_dropped();
        } else {
            passage.dropped = true;
            read_admitted();
            add_dropped();
        }
    }
}

#endif

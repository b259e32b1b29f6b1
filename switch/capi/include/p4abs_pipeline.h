/*
 * Runs v1model programs, compiled by p4c to BMv2's JSON format, inside another program:
 *
 *     frame --> ingress --> the caller's queue --> egress --> frame
 *                   \--> dropped      \--> discard  \--> dropped
 *
 * The caller owns clock, ports and queues; the pipeline owns tables, registers, counters and
 * packets. All times are microseconds of the caller's clock. A frame is an Ethernet frame without
 * its FCS, and its length is that of the whole frame.
 *
 * Errors. Every function but p4abs_pipeline_load leaves its message with the pipeline, for
 * p4abs_pipeline_error. An unexpected null pointer, a name that is not UTF-8 and a packet handle that is no
 * longer valid are errors; a request that failed has changed nothing. A defect inside the pipeline
 * (a panic) is an error too: that pipeline then answers every call with that error.
 *
 * Threads. Any thread may call, but only one at a time for one pipeline; different pipelines are
 * independent. Memory. After the first packets no call allocates per packet. Linking. The library
 * needs -lm behind it.
 */
#ifndef P4ABS_PIPELINE_H
#define P4ABS_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program with its state. Made by p4abs_pipeline_load, freed by p4abs_pipeline_free. */
typedef struct p4abs_pipeline p4abs_pipeline;

/*
 * A packet between ingress and egress. It belongs to its pipeline; the handle is valid until the
 * packet is given to p4abs_pipeline_egress or p4abs_pipeline_discard. 0 is never a valid handle.
 */
typedef uint64_t p4abs_packet;

typedef enum p4abs_verdict {
    P4ABS_DROP = 0,
    P4ABS_FORWARD = 1,
    P4ABS_ERROR = 2 /* see p4abs_pipeline_error */
} p4abs_verdict;

/* What egress is told about the packet's stay in the queue. */
typedef struct p4abs_queue_info {
    uint64_t enqueued_at_us;
    uint32_t enqueue_depth_packets; /* in the queue when it entered, without it */
    uint32_t dequeue_depth_packets; /* in the queue when it left, without it */
} p4abs_queue_info;

/* A big-endian number of any length whose value fits the field or parameter that it is for. */
typedef struct p4abs_bytes {
    const uint8_t *bytes; /* may be null if count is 0 */
    size_t count;
} p4abs_bytes;

/* The prefix_bits of an exact match. */
#define P4ABS_EXACT UINT32_MAX

/* One field of a table entry's key. */
typedef struct p4abs_match {
    p4abs_bytes value;    /* longest-prefix match: 0 in the bits after the prefix */
    uint32_t prefix_bits; /* leading bits that count, or P4ABS_EXACT in a field matched exactly */
} p4abs_match;

/*
 * Compiles a program. Its tables hold the program's constant entries, its registers are zero.
 * Null: refused; the reason is in `error`, terminated, cut to error_bytes (error may be null if
 * error_bytes is 0).
 */
p4abs_pipeline *p4abs_pipeline_load(const uint8_t *json, size_t json_bytes, char *error,
                                    size_t error_bytes);

/* Frees a pipeline and all its packets. Null is ignored. */
void p4abs_pipeline_free(p4abs_pipeline *pipeline);

/*
 * Why the latest of the calls that failed did; empty if none has. Owned by the pipeline, valid
 * until the next call with it. Never null.
 */
const char *p4abs_pipeline_error(const p4abs_pipeline *pipeline);

/*
 * Runs parser and ingress on a copy of the frame, as received on `ingress_port`.
 * P4ABS_FORWARD: *packet and *egress_port are set, and the caller queues the packet.
 * Otherwise neither is touched.
 */
p4abs_verdict p4abs_pipeline_ingress(p4abs_pipeline *pipeline, uint16_t ingress_port,
                                     const uint8_t *frame, size_t frame_bytes, uint64_t now_us,
                                     p4abs_packet *packet, uint16_t *egress_port);

/*
 * Runs egress and deparser when the link takes the packet. The handle ends here, unless the
 * verdict is P4ABS_ERROR.
 * P4ABS_FORWARD: *frame and *frame_bytes, each of which may be null, are set to the frame as it
 * leaves; it is owned by the pipeline and valid until the next call with it.
 * Otherwise neither is touched.
 */
p4abs_verdict p4abs_pipeline_egress(p4abs_pipeline *pipeline, p4abs_packet packet,
                                    uint16_t egress_port, uint64_t now_us,
                                    const p4abs_queue_info *queue, const uint8_t **frame,
                                    size_t *frame_bytes);

/* Gives back a packet that leaves the queue without egress. False: the handle is not valid. */
bool p4abs_pipeline_discard(p4abs_pipeline *pipeline, p4abs_packet packet);

/*
 * Reads or writes one cell of a register array of at most 64 bits. `name` as in the P4Info.
 * False: no such register (the error lists the valid names) or cell, or the value does not fit.
 */
bool p4abs_pipeline_register_read(p4abs_pipeline *pipeline, const char *name, uint32_t index,
                                  uint64_t *value);
bool p4abs_pipeline_register_write(p4abs_pipeline *pipeline, const char *name, uint32_t index,
                                   uint64_t value);

/*
 * Adds an entry to a table of exact and longest-prefix fields: one match for every field of the
 * key, one argument for every parameter of the action, in the P4Info's order and with its names.
 * `key` and `arguments` may be null if their count is 0.
 */
bool p4abs_pipeline_table_add(p4abs_pipeline *pipeline, const char *table, const p4abs_match *key,
                              size_t key_count, const char *action, const p4abs_bytes *arguments,
                              size_t argument_count);

#ifdef __cplusplus
}
#endif

#endif

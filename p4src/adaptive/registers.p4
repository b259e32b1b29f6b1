// The registers that the controller reads and writes, one element per queue. Each element has one writer in
// the data plane, because BMv2's ingress and egress threads share registers. Add one: docs/contributing.md.
#ifndef ADAPTIVE_REGISTERS_P4
#define ADAPTIVE_REGISTERS_P4

#include "../ids.p4"
#include "queues.p4"

// Bytes that the queue limit admitted, and bytes that it dropped. Writer: ingress.
@id(ADMITTED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) admitted_bytes;
@id(DROPPED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) dropped_bytes;

// Bytes that have left the queue, and when that count was last brought up to date.
// Writer: egress (real queue) or ingress (virtual queue); see departures/.
@id(DEPARTED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) departed_bytes;
@id(DEPARTED_AT_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT)    departed_at_us;

// The most bytes that may stand in the queue. 0: no limit has been set. Writer: controller.
@id(QUEUE_LIMIT_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) queue_limit_bytes;

// The rate at which the queue empties. 0: no rate has been set. Writer: controller.
@id(DRAIN_RATE_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<drain_rate_t>(QUEUE_COUNT) drain_rate;

// Unsaturated time: from each departure that leaves the queue empty until the next departure. And the bytes
// that the link sent in it; see unsaturated_time.p4. The time is the sum of both registers.
// Writer: ingress; of the wait, egress.
@id(UNSATURATED_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT)    unsaturated_us;
@id(UNSATURATED_WAIT_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT)    unsaturated_wait_us;
@id(UNSATURATED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) unsaturated_bytes;

// Minimum and maximum backlog in the window with the number measured_window. The controller starts a new
// window by writing another number into backlog_window; see backlog_extremes.p4.
// Writers: ingress; of backlog_window, the controller.
@id(LEAST_BACKLOG_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) least_backlog_bytes;
@id(GREATEST_BACKLOG_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) greatest_backlog_bytes;
@id(MEASURED_WINDOW_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<sequence_t>(QUEUE_COUNT)   measured_window;
@id(BACKLOG_WINDOW_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<sequence_t>(QUEUE_COUNT)   backlog_window;

#ifdef MARK_PACKETS
// Whether packets beyond the limit are marked instead of dropped if their senders understand ECN, and
// the bytes of marked packets; see ecn_marking.p4. Writers: controller; of the bytes, ingress.
@id(ECN_MARKING_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<ecn_marking_t>(QUEUE_COUNT) ecn_marking;
@id(MARKED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT)  marked_bytes;
#endif

#ifdef MEASURE_FLOWS
// Active time, summed over all flows; the same sum for long flows; and the bytes of packets whose flow was
// not tracked. See flows/flow_time.p4. Writer: ingress.
@id(ACTIVE_FLOW_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT)     active_flow_us;
@id(LONG_FLOW_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT)     long_flow_us;
@id(UNTRACKED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT)  untracked_bytes;

// Bytes of packets whose flow's round-trip time is known, and the sum of these bytes times that round-trip
// time. See flows/flow_time.p4. Writer: ingress.
@id(TIMED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT)  timed_bytes;
@id(TIMED_BYTE_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT)     timed_byte_us;
#endif

#endif

// What the controller reads and writes: one element per egress port. Each element has one
// writer in the data plane, because BMv2's ingress and egress threads share registers.
#ifndef REGISTERS_P4
#define REGISTERS_P4

#include "types.p4"

// Bytes that the queue took in, and bytes that the queue limit turned away. Writer: ingress.
@id(0x16000001) register<byte_count_t>(PORT_COUNT) admitted_bytes;
@id(0x16000002) register<byte_count_t>(PORT_COUNT) dropped_bytes;

// Bytes that have left the queue, and when that count was last brought up to date.
// Writer: egress (real queue) or ingress (virtual queue); see departures/.
@id(0x16000003) register<byte_count_t>(PORT_COUNT) departed_bytes;
@id(0x16000004) register<time_us_t>(PORT_COUNT)    departed_at_us;

// The most that may stand in the queue. 0: no limit has been set. Writer: controller.
@id(0x16000005) register<byte_count_t>(PORT_COUNT) queue_limit_bytes;

// The rate at which the queue empties. 0: no rate has been set. Writer: controller.
@id(0x16000006) register<drain_rate_t>(PORT_COUNT) drain_rate;

// Time from each departure that leaves the queue empty until the next one, and what the link has
// sent in it; see unsaturated_time.p4. The time is the sum of two registers.
// Writers: ingress; of the wait, egress.
@id(0x16000009) register<time_us_t>(PORT_COUNT)    unsaturated_us;
@id(0x1600000a) register<time_us_t>(PORT_COUNT)    unsaturated_wait_us;
@id(0x1600000b) register<byte_count_t>(PORT_COUNT) unsaturated_bytes;

// Extremes of the backlog in the window that measured_window names. The controller starts a new
// one by another number in backlog_window; see backlog_extremes.p4.
// Writers: ingress; of backlog_window, the controller.
@id(0x1600000c) register<byte_count_t>(PORT_COUNT) least_backlog_bytes;
@id(0x1600000d) register<byte_count_t>(PORT_COUNT) greatest_backlog_bytes;
@id(0x1600000e) register<sequence_t>(PORT_COUNT)   measured_window;
@id(0x1600000f) register<sequence_t>(PORT_COUNT)   backlog_window;

// Whether packets beyond the limit are marked instead of dropped where their senders understand
// ECN, and how many bytes were; see ecn_marking.p4. Writers: controller; of the bytes, ingress.
@id(0x16000011) register<ecn_marking_t>(PORT_COUNT) ecn_marking;
@id(0x16000012) register<byte_count_t>(PORT_COUNT)  marked_bytes;

// The time of all active flows together, of the long ones among them, and the bytes of packets whose
// flow was not tracked; see flows/. Writer: ingress.
@id(0x16000020) register<time_us_t>(PORT_COUNT)     active_flow_us;
@id(0x16000021) register<time_us_t>(PORT_COUNT)     long_flow_us;
@id(0x16000022) register<byte_count_t>(PORT_COUNT)  untracked_bytes;

// Bytes of packets whose flow's round-trip time is known, and each times that time; see flows/.
// Writer: ingress.
@id(0x16000024) register<byte_count_t>(PORT_COUNT)  timed_bytes;
@id(0x16000025) register<time_us_t>(PORT_COUNT)     timed_byte_us;

#endif

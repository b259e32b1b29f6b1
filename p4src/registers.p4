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

#endif

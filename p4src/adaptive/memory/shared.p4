// All queues share one memory, which is never exceeded:
//
//   occupied + packet <= memory                              or else the packet is dropped
//   backlog + packet <= alpha * scale * (memory - occupied)  is one more limit of queues that share
//
// With a scale of 1 these are the dynamic thresholds of Choudhury and Hahne ("Dynamic queue length
// thresholds for shared-memory packet switches", 1998). ABM (Addanki et al., "ABM: Active buffer
// management in datacenters", SIGCOMM 2022) divides by the number n of congested queues of a class. The
// controller counts them and writes 1/n as the scale.
//
// Every queue's bytes count as occupied, whether it shares or not. A queue without an entry has no
// threshold. An empty queue admits every packet that fits into the memory, whatever its threshold.
#ifndef ADAPTIVE_MEMORY_P4
#define ADAPTIVE_MEMORY_P4

#include "../registers.p4"
#include "types.p4"

// Bytes in all queues. Writers: ingress and egress, each within one action: BMv2 lets no other
// thread touch a register until it ends.
@id(OCCUPIED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(1) occupied_bytes;

// The queue's admitted bytes up to here no longer occupy memory. Writers: as above.
@id(RELEASED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) released_bytes;

// Since when the queue has been stuck, as ingress has seen it. Writer: ingress.
@id(STANDING_SINCE_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT) standing_since_us;

// A paused link resumes sooner. After this time the bytes in a stuck queue count as lost.
const time_us_t LOST_TIMEOUT_US = 10000000;

// Runs in ingress, before a packet is judged. Lowers the limit to the queue's threshold, if that is lower,
// and tells whether the memory has no room for the packet.
// Only ingress occupies memory, so the room is still there when the packet is admitted.
control ShareMemory(in queue_index_t queue,
                    in byte_count_t frame_bytes,
                    inout byte_count_t limit,
                    out bool is_full) {
    byte_count_t memory;
    memory_class_t class;
    byte_count_t alpha;
    byte_count_t scale;

    @id(SET_MEMORY_ACTION_ID)
    action set_memory(@id(1) memory_bytes_t memory_bytes) {
        memory = (byte_count_t)memory_bytes;
    }

    @id(SHARE_ACTION_ID)
    action share(@id(1) memory_class_t memory_class, @id(2) alpha_t alpha_1024ths) {
        class = memory_class;
        alpha = (byte_count_t)alpha_1024ths;
    }

    @id(SET_SCALE_ACTION_ID)
    action set_scale(@id(1) memory_scale_t scale_65536ths) {
        scale = (byte_count_t)scale_65536ths;
    }

    @id(KEEP_LIMIT_ACTION_ID)
    action keep_limit() {
        class = 0;
        alpha = 0;
    }

    // No key: the default action has the size. 0 bytes: memory is not shared.
    @id(MEMORY_SIZE_TABLE_ID) @p4runtime_role(ROLE_BUFFER_CONTROL)
    table memory_size {
        actions = { set_memory; }
        default_action = set_memory(0);
    }

    @id(MEMORY_SHARING_TABLE_ID) @p4runtime_role(ROLE_BUFFER_CONTROL)
    table memory_sharing {
        // The parts of queue * PORT_COUNT + port.
        key = {
            (port_t)queue: exact @id(1) @name("egress_port");
            queue[11:9]: exact @id(2) @name("queue");
        }
        actions = { @proto_id(1) share; @defaultonly @proto_id(2) keep_limit; }
        const default_action = keep_limit();
        size = QUEUE_COUNT;
    }

    @id(MEMORY_CLASS_SCALE_TABLE_ID) @p4runtime_role(ROLE_BUFFER_CONTROL)
    table memory_class_scale {
        key = { class: exact @id(1) @name("memory_class"); }
        actions = { set_scale; }
        const default_action = set_scale(1 << MEMORY_SCALE_SHIFT);
        size = MEMORY_CLASS_COUNT;
    }

    apply {
        is_full = false;
        memory_size.apply();
        if (memory != 0) {
            byte_count_t occupied;
            byte_count_t threshold;
            occupied_bytes.read(occupied, 0);
            if (occupied + frame_bytes > memory) {
                is_full = true;
            } else if (memory_sharing.apply().hit) {
                memory_class_scale.apply();
                threshold = (memory - occupied) * alpha >> MEMORY_ALPHA_SHIFT;
                threshold = threshold * scale >> MEMORY_SCALE_SHIFT;
                if (threshold == 0) {
                    threshold = 1; // 0 would be no limit
                }
                if (limit == 0 || threshold < limit) {
                    limit = threshold;
                }
            }
        }
    }
}

// Runs in ingress, when a packet is admitted.
@hidden
action occupy_memory(in byte_count_t frame_bytes) {
    byte_count_t occupied;
    occupied_bytes.read(occupied, 0);
    occupied_bytes.write(0, occupied + frame_bytes);
}

// Frees the memory of a queue's admitted bytes up to this count. Runs in egress when a packet leaves the queue,
// and in ingress when a stuck queue counts as lost. A count that is behind an earlier one, or of packets of
// another program, frees nothing. So no byte is freed twice, in whatever order the calls come.
@hidden
action release_memory(in queue_index_t queue, in byte_count_t up_to) {
    byte_count_t admitted;
    byte_count_t released;
    byte_count_t occupied;
    admitted_bytes.read(admitted, queue);
    released_bytes.read(released, queue);
    // The count that is closer behind admitted is the later one; counts may wrap.
    if (admitted - up_to < admitted - released) {
        released_bytes.write(queue, up_to);
        occupied_bytes.read(occupied, 0);
        occupied_bytes.write(0, occupied - (up_to - released));
    }
}

// Runs in ingress with take_departures. `stands`: the queue is stuck. Frees its memory after LOST_TIMEOUT_US.
@hidden
action release_lost_memory(in queue_index_t queue,
                           in time_us_t now_us,
                           in time_us_t departed_us,
                           in bool stands,
                           in byte_count_t admitted) {
    time_us_t since_us;
    if (stands) {
        standing_since_us.read(since_us, queue);
        if (since_us <= departed_us) {
            standing_since_us.write(queue, now_us);
        } else if (now_us > since_us && now_us - since_us > LOST_TIMEOUT_US) {
            release_memory(queue, admitted);
        }
    }
}

#endif

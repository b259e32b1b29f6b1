// All queues share one memory, which is never exceeded:
//
//   occupied + packet <= memory                              or else the packet is dropped
//   backlog + packet <= alpha * scale * (memory - occupied)  is one more limit of queues that share
//
// With a scale of 1 these are the dynamic thresholds of Choudhury and Hahne ("Dynamic queue length
// thresholds for shared-memory packet switches", 1998). ABM (Addanki et al., "ABM: Active buffer
// management in datacenters", SIGCOMM 2022) divides by the number of congested queues of a class: who
// counts them, the controller, writes one over it as the scale.
//
// What a queue holds counts whether it shares or not. A queue without an entry has no threshold. An
// empty queue has room for a packet that the memory has room for, whatever its threshold.
#ifndef ADAPTIVE_MEMORY_P4
#define ADAPTIVE_MEMORY_P4

#include "../registers.p4"
#include "types.p4"

// Bytes in all queues. Writers: ingress and egress, each within one action: BMv2 lets no other
// thread touch a register until it ends.
@id(OCCUPIED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(1) occupied_bytes;

// All bytes that the port admitted up to here are occupied no more. Writers: as above.
@id(RELEASED_BYTES_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<byte_count_t>(QUEUE_COUNT) released_bytes;

// Since when the port's queue stands still, as ingress has seen it. Writer: ingress.
@id(STANDING_SINCE_US_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<time_us_t>(QUEUE_COUNT) standing_since_us;

// A link that is paused goes on sooner than that; after it, what stands in its queue is taken for lost.
const time_us_t LOST_TIMEOUT_US = 10000000;

// Runs in ingress, before a packet is judged. Lowers the queue's limit to what it may have of the memory,
// where that is less, and tells whether the memory has no room for the packet.
// Only ingress adds to what is occupied, so room that is found is there when the packet is admitted.
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

    // Without a key: its default action says it all. 0 bytes: memory is not shared.
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

// Runs when a packet leaves the queue, in egress, and when what stands in one is taken for lost, in
// ingress: all of the port up to there is in the memory no more. Whoever comes with a count that is behind another's, or
// of another program's packets, takes nothing: no byte counts twice, in whatever order they come.
@hidden
action release_memory(in queue_index_t queue, in byte_count_t up_to) {
    byte_count_t admitted;
    byte_count_t released;
    byte_count_t occupied;
    admitted_bytes.read(admitted, queue);
    released_bytes.read(released, queue);
    // Whichever is closer behind admitted is the later one; counts may have wrapped.
    if (admitted - up_to < admitted - released) {
        released_bytes.write(queue, up_to);
        occupied_bytes.read(occupied, 0);
        occupied_bytes.write(0, occupied - (up_to - released));
    }
}

// Runs in ingress, when a queue is looked at: whether it stands and nothing moves in it.
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

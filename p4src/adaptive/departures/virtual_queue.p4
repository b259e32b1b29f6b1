// Departures from a virtual queue, for targets whose ingress cannot see departures from the real one, or
// whose real queue stands in the next hop. The count of departed bytes advances with time at the
// drain rate, but never beyond the admitted bytes:
//
//   departed(now) = min(admitted, departed(then) + (now - then) * drain_rate)
#ifndef ADAPTIVE_DEPARTURES_P4
#define ADAPTIVE_DEPARTURES_P4

#ifdef SEVERAL_QUEUES
#error "a virtual queue is the only one of its port: do not define SEVERAL_QUEUES"
#endif

#include "../registers.p4"
#include "../measurement/unsaturated_time.p4"

// Longer times count as these: no queue holds more than 268 s of a slow link's traffic, or 8 s of a link's
// that is faster than 550 Gbit/s. So the product stays below 2^64 for rates up to 17 Tbit/s.
const time_us_t ELAPSED_MAX_US = 1 << 28;
const time_us_t FAST_ELAPSED_MAX_US = 1 << 23;
const drain_rate_t FAST_RATE = 1 << 36;

// The fraction of a byte that has left beyond departed_bytes, in 2^-DRAIN_RATE_SHIFT. Writer: ingress.
@id(DEPARTED_FRACTION_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<bit<64>>(QUEUE_COUNT) departed_fraction;

// Returns the bytes that have left the virtual queue, and whether it is empty. If it is, all time since the
// last call is unsaturated, and egress has nothing to count.
@hidden
action take_departures(in queue_index_t queue,
                       in time_us_t now_us,
                       in byte_count_t admitted,
                       out byte_count_t departed,
                       out bool found_empty,
                       out time_us_t unsaturated_until_us) {
    time_us_t then_us;
    drain_rate_t rate;
    bit<64> progress;
    found_empty = false;
    unsaturated_until_us = 0;
    departed_bytes.read(departed, queue);
    departed_at_us.read(then_us, queue);
    departed_fraction.read(progress, queue);
    drain_rate.read(rate, queue);

    // BMv2 takes the time before its input queue, so a packet may be older than the one before it.
    time_us_t elapsed_us = 0;
    if (now_us > then_us) {
        elapsed_us = now_us - then_us;
        departed_at_us.write(queue, now_us);
    }
    time_us_t drain_us = elapsed_us;
    if (rate >= FAST_RATE && drain_us > FAST_ELAPSED_MAX_US) {
        drain_us = FAST_ELAPSED_MAX_US;
    } else if (drain_us > ELAPSED_MAX_US) {
        drain_us = ELAPSED_MAX_US;
    }
    progress = progress + drain_us * rate;
    byte_count_t drained = progress >> DRAIN_RATE_SHIFT;
    progress = progress & ((1 << DRAIN_RATE_SHIFT) - 1);
    if (rate == 0 || drained >= admitted - departed) {
        drained = admitted - departed;
        progress = 0;
        count_unsaturated(queue, elapsed_us, drained);
        found_empty = true;
    }
    departed = departed + drained;

    departed_bytes.write(queue, departed);
    departed_fraction.write(queue, progress);
}

#ifdef MEASURE_FLOWS
// When the packet that is in egress leaves the virtual queue, if no other has come since; at most a second
// after its arrival. The wait is backlog / drain_rate, bit by bit, because P4 has no division.
control TellDeparture(in standard_metadata_t standard_metadata, out time_us_t departure_us) {
    queue_index_t queue = (queue_index_t)standard_metadata.egress_port;

    @hidden
    action tell() {
        byte_count_t admitted;
        byte_count_t departed;
        drain_rate_t rate;
        time_us_t wait_us = 0;
        time_us_t digit;
        admitted_bytes.read(admitted, queue);
        departed_bytes.read(departed, queue);
        drain_rate.read(rate, queue);
        if (rate != 0) {
            for (digit = 1 << 19; digit != 0; digit = digit >> 1) {
                if ((wait_us | digit) * rate <= (admitted - departed) << DRAIN_RATE_SHIFT) {
                    wait_us = wait_us | digit;
                }
            }
        }
        departure_us = (time_us_t)standard_metadata.ingress_global_timestamp + wait_us;
    }

    apply {
        tell();
    }
}
#endif

// Nothing to record: the real queue plays no part.
control RecordAdmission(in queue_index_t queue, in byte_count_t frame_bytes) {
    apply { }
}

control RecordDeparture(in adaptive_metadata_t meta, in standard_metadata_t standard_metadata) {
    apply { }
}

#endif

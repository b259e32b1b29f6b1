// The virtual queue of ../adaptive/departures/virtual_queue.p4 for stateful ALUs: each holds one quantity,
// takes two words from the packet, and compares or adds once. Time is a count of bytes
// (byte_clock.p4).
//
// A frame counts for what it takes of the wire (wire_bytes.p4).
//
//   elapsed   bytes the link could have sent since the packet before
//   pending   elapsed bytes that the backlog has not been given yet
//   backlog   bytes admitted and not drained
//
//   pending + elapsed >= frame   none stays pending, and the frame is admitted:
//                                backlog = max(0, backlog + frame - pending - elapsed)
//   otherwise                    all stay pending:
//                                backlog + frame <= limit  -->  backlog += frame
//                                otherwise                 -->  dropped
//
// Where the drain covers the frame the backlog does not grow, so there is nothing to compare with
// the limit; otherwise there is nothing to drain, so what is dropped changes nothing. That is how
// one register takes both a drain and a limit. The backlog is never off by more than one frame and
// 8 ns: too large by what is pending, less than the frame that is compared with it, and too small by
// the frame that opens a busy period at most, which is drained as it comes. Neither error adds up.
//
// A limit below the backlog is what the above does not see: then nothing may come in until the
// backlog has drained to it. The mailbox request that writes a limit notes the excess beside the
// backlog. A limit smaller than a frame lets one frame in whenever its bytes have drained.
//
// A mailbox request is a frame of no bytes.
//
// No comparison meets a count that wraps: stateful ALUs compare 34 bits, not modulo 2^32.
#ifndef TNA_VIRTUAL_QUEUE_P4
#define TNA_VIRTUAL_QUEUE_P4

#include "headers.p4"
#include "byte_clock.p4"

// Parsers of one pipe stamp packets that overtake each other by nanoseconds: then elapsed is
// negative, and pending must not be. It counts from here; 82 ns at 400 Gbit/s.
#define PENDING_FLOOR_BYTES 4096

// More than any queue holds. Added where the clock may have come round.
const bytes_t LONG_SILENCE_BYTES = 0x40000000;

// Where a backlog without a limit stops growing; no limit may be larger.
const bytes_t UNLIMITED_BYTES = 0x10000000;

// An excess is counted from here. What is below is none, and any backlog is below an eighth.
#define EXCESS_FLOOR_BYTES 0x40000000

#define NEGATIVE 0x80000000

// Bits of an answer that tells of an excess, or of one that has drained a little.
#define BEYOND_LIMIT 0xe0000000

// How a packet meets the backlog: what is pending covers it, or does not, or it is a request.
const way_t OFFERED = 0;
const way_t OFFERED_WITHOUT_LIMIT = 1;
const way_t DRAINED = 2;
const way_t INSPECTED = 3;

struct backlog_t {
    bytes_t bytes;
    bytes_t excess;
}

control VirtualQueue(in port_t port,
                     in bool is_request,
                     in bytes_t frame_bytes,
                     inout time_words_t time,
                     in bytes_t limit_bytes,
                     inout queue_words_t words,
                     inout passage_t passage) {
    DrainRate() drain_rate;

    Register<bytes_t, port_t>(PORT_COUNT, 0) clock_bytes;
    Register<bit<32>, port_t>(PORT_COUNT, 0) last_packet_65536ns;
    Register<bytes_t, port_t>(PORT_COUNT, PENDING_FLOOR_BYTES) pending_bytes;
    Register<backlog_t, port_t>(PORT_COUNT, {0, 0}) backlog;
    Register<bytes_t, port_t>(PORT_COUNT, 0) admitted_bytes;  // the lower words, see wraps.p4
    Register<bytes_t, port_t>(PORT_COUNT, 0) dropped_bytes;

    bytes_t near;
    bytes_t far;
    bit<32> silence;
    bit<32> silence_mask;
    bytes_t own;           // the frame, above the floor of what is pending
    bytes_t beyond;        // elapsed beyond that
    bytes_t beyond_and;    // with the frame; of a request, taken from room
    bytes_t ahead;         // pending less wanted; negative: not enough
    bytes_t room;          // the greatest backlog that leaves place for the frame; for a request
                           // what a backlog at the limit lacks to be an excess
    bytes_t answer;
    way_t way;

    RegisterAction<bytes_t, port_t, bytes_t>(clock_bytes) advance_clock = {
        void apply(inout bytes_t value, out bytes_t difference) {
            difference = words.clock - value;
            value = words.clock;
        }
    };

    // A tick more than has passed, so that it is never negative when stamps overtake each other.
    RegisterAction<bit<32>, port_t, bit<32>>(last_packet_65536ns) end_silence = {
        void apply(inout bit<32> value, out bit<32> ticks) {
            ticks = time.next_65536ns - value;
            value = time.of_65536ns;
        }
    };

    RegisterAction<bytes_t, port_t, bytes_t>(pending_bytes) take_pending = {
        void apply(inout bytes_t value, out bytes_t difference) {
            difference = value - words.wanted;
            if (value >= words.wanted) {
                value = PENDING_FLOOR_BYTES;
            } else {
                value = value + words.elapsed;
            }
        }
    };

    // Answers the backlog before; EXCESS_FLOOR_BYTES or not much less: it is beyond the limit.
    RegisterAction<backlog_t, port_t, bytes_t>(backlog) drain_and_admit = {
        void apply(inout backlog_t value, out bytes_t before) {
            if (value.excess >= EXCESS_FLOOR_BYTES) {
                value.bytes = value.bytes |-| words.second;
                value.excess = value.excess |-| words.second;
            } else {
                value.excess = value.bytes;
                value.bytes = value.bytes |-| words.first;
            }
            before = value.excess;
        }
    };

    // Answers the backlog before.
    RegisterAction<backlog_t, port_t, bytes_t>(backlog) drain_and_note_excess = {
        void apply(inout backlog_t value, out bytes_t before) {
            before = value.bytes;
            value.excess = value.bytes + words.second;
            value.bytes = value.bytes |-| words.first;
        }
    };

    // Answers the backlog with the frame; 0: there was no room.
    RegisterAction<backlog_t, port_t, bytes_t>(backlog) admit_if_room = {
        void apply(inout backlog_t value, out bytes_t after) {
            after = 0;
            if (value.bytes <= words.first) {
                value.bytes = value.bytes + words.second;
                after = value.bytes;
            }
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

    action sum_clock() { words.clock = near + far; }
    action after_long_silence() { words.wanted = 0; beyond = LONG_SILENCE_BYTES; }
    action after_overtaking() { words.wanted = own - words.elapsed; beyond = 0; }
    action after_time() { words.wanted = own |-| words.elapsed; beyond = words.elapsed |-| own; }

    table compare_elapsed {
        key = { silence: ternary; words.elapsed: ternary; }
        actions = { after_long_silence; after_overtaking; after_time; }
        const entries = {
            (0, NEGATIVE &&& NEGATIVE): after_overtaking();
            (0, _): after_time();
        }
        const default_action = after_long_silence();
        size = 4;
    }

    action offer() {
        way = OFFERED;
        words.first = room;
        words.second = frame_bytes;
    }

    action offer_without_limit() {
        way = OFFERED_WITHOUT_LIMIT;
        words.first = UNLIMITED_BYTES;
        words.second = frame_bytes;
    }

    action drain() {
        way = DRAINED;
        words.first = ahead + beyond;
        words.second = ahead + beyond_and;
    }

    action inspect() {
        way = INSPECTED;
        words.first = ahead + beyond;
        words.second = beyond_and |-| ahead;
    }

    table choose_way {
        key = { ahead: ternary; limit_bytes: ternary; is_request: ternary; }
        actions = { offer; offer_without_limit; drain; inspect; }
        const entries = {
            (0 &&& NEGATIVE, _, false): drain();
            (0 &&& NEGATIVE, _, true): inspect();
            (_, _, true): offer_without_limit();
            (_, 0, _): offer_without_limit();
        }
        const default_action = offer();
        size = 8;
    }

    action offered() { answer = admit_if_room.execute(port); }
    action drained() { answer = drain_and_admit.execute(port); }
    action inspected() { answer = drain_and_note_excess.execute(port); }
    action kept() { answer = 0; }

    table change_backlog {
        key = { way: exact; }
        actions = { offered; drained; inspected; @defaultonly kept; }
        const entries = {
            (OFFERED): offered();
            (OFFERED_WITHOUT_LIMIT): offered();
            (DRAINED): drained();
            (INSPECTED): inspected();
        }
        const default_action = kept();
        size = 4;
    }

    action tell_offered() {
        passage.dropped = false;
        passage.found = answer - frame_bytes;
        passage.left = answer;
    }

    action tell_drained() {
        passage.dropped = false;
        passage.found = answer |-| words.second;
        passage.left = answer |-| words.first;
    }

    action tell_inspected() {
        passage.dropped = false;
        passage.found = answer |-| words.first;
        passage.left = answer |-| words.first;
    }

    // Full: neither the least nor a new greatest backlog.
    action tell_dropped() {
        passage.dropped = true;
        passage.found = UNLIMITED_BYTES;
        passage.left = 0;
    }

    table tell {
        key = { way: ternary; answer: ternary; }
        actions = { tell_offered; tell_drained; tell_inspected; tell_dropped; }
        const entries = {
            (OFFERED, 0): tell_dropped();
            (DRAINED, 0 &&& BEYOND_LIMIT): tell_drained();
            (DRAINED, _): tell_dropped();
            (INSPECTED, _): tell_inspected();
        }
        const default_action = tell_offered();
        size = 8;
    }

    // By the keys of the table above, in whose stage they are: its result would cost one more.
    action add_admitted() { passage.admitted_bytes = add_to_admitted.execute(port); }
    action read_admitted() { passage.admitted_bytes = read_from_admitted.execute(port); }
    action add_dropped() { passage.dropped_bytes = add_to_dropped.execute(port); }
    action read_dropped() { passage.dropped_bytes = read_from_dropped.execute(port); }
    action count_nothing() { }

    table count_admitted {
        key = { way: ternary; answer: ternary; }
        actions = { add_admitted; read_admitted; @defaultonly count_nothing; }
        const entries = {
            (OFFERED, 0): read_admitted();
            (DRAINED, 0 &&& BEYOND_LIMIT): add_admitted();
            (DRAINED, _): read_admitted();
            (_, _): add_admitted();
        }
        const default_action = count_nothing();
        size = 8;
    }

    table count_dropped {
        key = { way: ternary; answer: ternary; }
        actions = { add_dropped; read_dropped; @defaultonly count_nothing; }
        const entries = {
            (OFFERED, 0): add_dropped();
            (DRAINED, 0 &&& BEYOND_LIMIT): read_dropped();
            (DRAINED, _): add_dropped();
            (_, _): read_dropped();
        }
        const default_action = count_nothing();
        size = 8;
    }

    apply {
        own = frame_bytes + PENDING_FLOOR_BYTES;
        if (is_request && limit_bytes == 0) {
            room = EXCESS_FLOOR_BYTES - UNLIMITED_BYTES;
        } else if (is_request) {
            room = EXCESS_FLOOR_BYTES - limit_bytes;
        } else if (limit_bytes == 0) {
            room = UNLIMITED_BYTES;
        } else {
            room = limit_bytes |-| frame_bytes;
        }

        drain_rate.apply(port, time, near, far, silence_mask);
        sum_clock();
        words.elapsed = advance_clock.execute(port);
        silence = end_silence.execute(port);
        silence = silence & silence_mask;

        compare_elapsed.apply();
        if (is_request) {
            beyond_and = room |-| beyond;
        } else {
            beyond_and = beyond + frame_bytes;
        }
        ahead = take_pending.execute(port);

        choose_way.apply();
        change_backlog.apply();
        tell.apply();
        count_admitted.apply();
        count_dropped.apply();
    }
}

#endif

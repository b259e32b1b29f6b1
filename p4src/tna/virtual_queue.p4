// The virtual queue of ../departures/virtual_queue.p4 for stateful ALUs: each holds one quantity,
// takes two words from the packet, and compares or adds once. Time is a count of bytes
// (byte_clock.p4).
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

struct backlog_t {
    bytes_t bytes;
    bytes_t excess;
}

control VirtualQueue(in port_t port,
                     in bool is_request,
                     in bytes_t frame_bytes,
                     in time_ns_t now_ns,
                     in bytes_t limit_bytes,
                     inout queue_words_t words,
                     inout passage_t passage) {
    DrainRate() drain_rate;

    Register<bytes_t, port_t>(PORT_COUNT, 0) clock_bytes;
    Register<bit<32>, port_t>(PORT_COUNT, 0) last_packet_65536ns;
    Register<bytes_t, port_t>(PORT_COUNT, PENDING_FLOOR_BYTES) pending_bytes;
    Register<backlog_t, port_t>(PORT_COUNT, {0, 0}) backlog;

    bit<32> time_8ns = now_ns[34:3];
    bit<32> triple_8ns;
    bytes_t near;
    bytes_t far;
    bit<32> silence;
    bit<32> silence_mask;
    bytes_t limit;
    bytes_t below_excess;  // what a backlog at the limit lacks to be an excess
    bytes_t own;           // the frame, above the floor of what is pending
    bytes_t beyond;        // elapsed beyond that
    bytes_t beyond_and;    // with the frame; of a request, taken from below_excess
    bytes_t ahead;         // pending less wanted; negative: not enough
    bytes_t room;          // the greatest backlog that leaves place for the frame
    bytes_t answer;

    RegisterAction<bytes_t, port_t, bytes_t>(clock_bytes) advance_clock = {
        void apply(inout bytes_t value, out bytes_t difference) {
            difference = words.clock - value;
            value = words.clock;
        }
    };

    // A tick more than has passed, so that it is never negative when stamps overtake each other.
    RegisterAction<bit<32>, port_t, bit<32>>(last_packet_65536ns) end_silence = {
        void apply(inout bit<32> value, out bit<32> ticks) {
            ticks = words.next_65536ns - value;
            value = words.time_65536ns;
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

    action sum_clock() { words.clock = near + far; }
    action after_long_silence() { words.wanted = 0; beyond = LONG_SILENCE_BYTES; }
    action after_overtaking() { words.wanted = own - words.elapsed; beyond = 0; }
    action after_time() { words.wanted = own |-| words.elapsed; beyond = words.elapsed |-| own; }

    apply {
        words.time_65536ns = now_ns[47:16];
        triple_8ns = time_8ns << 1;
        triple_8ns = triple_8ns + time_8ns;
        words.next_65536ns = words.time_65536ns + 1;
        own = frame_bytes + PENDING_FLOOR_BYTES;
        limit = limit_bytes;
        if (limit_bytes == 0) {
            limit = UNLIMITED_BYTES;
        }
        room = limit |-| frame_bytes;
        if (is_request) {
            room = UNLIMITED_BYTES;
        }
        below_excess = EXCESS_FLOOR_BYTES - limit;

        drain_rate.apply(port, time_8ns, triple_8ns, near, far, silence_mask);
        sum_clock();
        words.elapsed = advance_clock.execute(port);
        silence = end_silence.execute(port);
        silence = silence & silence_mask;

        if (silence != 0) {
            after_long_silence();
        } else if (words.elapsed[31:31] == 1) {
            after_overtaking();
        } else {
            after_time();
        }
        if (is_request) {
            beyond_and = below_excess |-| beyond;
        } else {
            beyond_and = beyond + frame_bytes;
        }
        ahead = take_pending.execute(port);

        if (ahead[31:31] == 1) {
            words.first = room;
            words.second = frame_bytes;
            answer = admit_if_room.execute(port);
        } else if (is_request) {
            words.first = ahead + beyond;
            words.second = beyond_and |-| ahead;
            answer = drain_and_note_excess.execute(port);
        } else {
            words.first = ahead + beyond;
            words.second = ahead + beyond_and;
            answer = drain_and_admit.execute(port);
        }

        passage.admitted = frame_bytes;
        passage.dropped = 0;
        passage.idle = 0;
        if (ahead[31:31] == 0 && answer[31:29] == 0) {
            if (is_request) {
                passage.found = answer |-| words.first;
            } else {
                passage.found = answer |-| words.second;
            }
            passage.left = answer |-| words.first;
            passage.idle = words.first |-| answer;
        } else if (ahead[31:31] == 1 && answer != 0) {
            passage.found = answer - frame_bytes;
            passage.left = answer;
        } else {
            // Full: neither the least nor a new greatest backlog.
            passage.found = UNLIMITED_BYTES;
            passage.left = 0;
            if (limit_bytes != 0) {
                passage.admitted = 0;
                passage.dropped = frame_bytes;
            }
        }
    }
}

#endif

// Explicit Congestion Notification (RFC 3168) at the queue limit: where the port's register says so,
// a packet that the limit would turn away is marked and admitted, if its sender understands that.
//
// Senders answer a mark one round trip later, and a sender that never does would fill any memory.
// So the queue grows to twice the limit at most; beyond it everything is dropped (RFC 3168,
// section 7).
//
// Senders that set ECT(1) expect marks from a short queue, and answer each by a little (RFC 9331): from a
// limit that is there to be filled these would come too late, and leave others nothing. They are
// dropped from, which they answer as others do; RFC 8311 lets the two codepoints differ.
#ifndef ADAPTIVE_ECN_MARKING_P4
#define ADAPTIVE_ECN_MARKING_P4

#include "registers.p4"
#include "queue_limit.p4"

// A packet that has met congestion. 0: its sender does not understand ECN.
const ecn_t ECN_CONGESTION_EXPERIENCED = 3;

// Set in ECT(0), of senders that take a mark for a drop, and in what has been marked.
const ecn_t ECN_CLASSIC = 2;

// Runs between QueueLimit and Admit for a packet beyond the limit. One that comes marked stays so, and
// counts like the others.
control EcnMarking(inout ecn_t ecn, inout admission_t admission) {
    apply {
        ecn_marking_t marking;
        byte_count_t marked;
        ecn_marking.read(marking, admission.queue);
        // No sum of limits: twice the largest one would not fit.
        if (marking != 0 && ecn & ECN_CLASSIC != 0
            && admission.backlog + admission.frame_bytes - admission.limit <= admission.limit) {
            ecn = ECN_CONGESTION_EXPERIENCED;
            admission.turned_away = false;
            marked_bytes.read(marked, admission.queue);
            marked_bytes.write(admission.queue, marked + admission.frame_bytes);
        }
    }
}

#endif

// Explicit Congestion Notification (RFC 3168) at the queue limit. If the queue's register ecn_marking is set,
// a packet beyond the limit is marked and admitted, provided that its sender understands ECN.
//
// Senders react to a mark one round trip later, and a sender that never reacts would fill any memory.
// So the queue grows to at most twice the limit; beyond that, everything is dropped (RFC 3168,
// section 7).
//
// Senders that set ECT(1) expect early marks from a short queue, and react to each mark only a little
// (RFC 9331). Marks at the limit would come too late, and these senders would starve all others. So their
// packets are dropped, to which they react as others do. RFC 8311 lets the two codepoints differ.
#ifndef ADAPTIVE_ECN_MARKING_P4
#define ADAPTIVE_ECN_MARKING_P4

#include "registers.p4"
#include "queue_limit.p4"

// The mark: the packet has met congestion. 0: its sender does not understand ECN.
const ecn_t ECN_CONGESTION_EXPERIENCED = 3;

// This bit is set in ECT(0), whose senders react to a mark as to a drop, and in the mark itself.
const ecn_t ECN_CLASSIC = 2;

// Runs between QueueLimit and Admit for a packet beyond the limit. A packet that arrives marked stays
// marked, and counts like the others.
control EcnMarking(inout ecn_t ecn, inout admission_t admission) {
    apply {
        ecn_marking_t marking;
        byte_count_t marked;
        ecn_marking.read(marking, admission.queue);
        // Compares without 2 * limit, which could overflow.
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

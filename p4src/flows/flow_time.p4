// How many flows send to a queue, measured as time, and how long their round trips are.
//
//   a packet of a flow that is known   -->  active_flow_us += time since the flow's packet before;
//                                           long_flow_us likewise, once the flow has lasted for long
//   the same, its round trip is known  -->  timed_bytes += packet; timed_byte_us += packet * round trip
//   a packet in a cell that is vacant  -->  the flow is known from here on
//   a packet in another flow's cell    -->  untracked_bytes += packet
//
// So the mean number of flows over any time is the advance of the flows' time over that of the clock,
// without epochs: a flow that has left stops counting with its last packet, and one that sends seldom
// counts as much as one that sends often. Flows of one packet add nothing, however many there are.
//
// A round trip is the time from the departure of a TCP flow's SYN, or SYN-ACK, to the arrival of its next
// packet, which its peer's answer has called forth: the queue of this port is not in it, nor is the other
// direction needed. The quotient of the two sums is the mean round trip by what flows send. Of a flow
// only the first packet of each 2^FLOW_TIME_SHIFT us is in them: above 4000 packets a second it weighs less.
//
// A flow is what has a hash in common. A cell is its flow's until nothing has come for FLOW_TIMEOUT. Packets
// that the limit drops count like the others.
#ifndef FLOW_TIME_P4
#define FLOW_TIME_P4

#include "../adaptive/registers.p4"

typedef bit<24> flow_time_t;       // 2^FLOW_TIME_SHIFT us, wraps after 71 minutes
typedef bit<12> flow_age_t;        // likewise, of what counts of it
typedef bit<12> round_trip_t;      // likewise, or one of the three below
typedef bit<16> flow_signature_t;  // tells a cell's flow from others with the same cell

#define FLOW_TIME_SHIFT 8
#define FLOW_CELLS 65536  // as many as 16 bits of a hash can name

const flow_time_t FLOW_TIMEOUT  = 4093;  // 1.05 s; a congested flow sends at least so often
const flow_age_t  LONG_FLOW_AGE = 2048;  // 0.52 s

const bit<8> TCP_SYN = 0x02;  // RFC 9293, section 3.1

const round_trip_t ROUND_TRIP_UNKNOWN = 0;
const round_trip_t SYN_ARRIVED        = 0xffe;  // it stands in the queue, or was dropped
const round_trip_t SYN_DEPARTED       = 0xfff;  // the flow's next packet ends the round trip

// Of the flow that was seen last: its signature, round trip and age, and when it was seen.
// Writers: ingress; of a SYN's departure, egress.
@id(FLOW_CELLS_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<bit<64>>(FLOW_CELLS) flow_cells;

// Runs in egress for every packet: notes when a SYN departs. Nothing where another flow has the cell, or
// the SYN was repeated.
control AwaitAnswer(in bit<32> flow, in bit<8> tcp_flags, in adaptive_metadata_t adaptive,
                    in standard_metadata_t standard_metadata) {
    TellDeparture() tell_departure;

    @hidden
    action await_answer(in time_us_t now_us) {
        bit<64> cell;
        flow_cells.read(cell, (bit<32>)flow[31:16]);
        if (cell[63:36] == flow[15:0] ++ SYN_ARRIVED) {
            flow_cells.write((bit<32>)flow[31:16],
                             flow[15:0] ++ SYN_DEPARTED ++ cell[35:24] ++ (flow_time_t)(now_us >> FLOW_TIME_SHIFT));
        }
    }

    apply {
        // Copies have no stamp.
        if (tcp_flags & TCP_SYN != 0 && adaptive.admission_stamp != 0) {
            time_us_t departure_us;
            tell_departure.apply(standard_metadata, departure_us);
            await_answer(departure_us);
        }
    }
}

// Runs in ingress for every packet of a flow that has an egress port.
control TimeFlow(in bit<32> flow, in bit<8> tcp_flags, in standard_metadata_t standard_metadata) {
    queue_index_t queue = QUEUE_INDEX(standard_metadata.priority, standard_metadata.egress_spec);
    flow_time_t now = (flow_time_t)(standard_metadata.ingress_global_timestamp >> FLOW_TIME_SHIFT);

    @hidden
    action count_time(in flow_time_t silence, in flow_age_t age) {
        time_us_t silence_us = (time_us_t)silence << FLOW_TIME_SHIFT;
        time_us_t active_us;
        active_flow_us.read(active_us, queue);
        active_flow_us.write(queue, active_us + silence_us);
        if (age >= LONG_FLOW_AGE) {
            time_us_t long_us;
            long_flow_us.read(long_us, queue);
            long_flow_us.write(queue, long_us + silence_us);
        }
    }

    @hidden
    action count_round_trip(in round_trip_t round_trip) {
        byte_count_t frame_bytes = (byte_count_t)standard_metadata.packet_length;
        byte_count_t bytes;
        time_us_t byte_us;
        timed_bytes.read(bytes, queue);
        timed_bytes.write(queue, bytes + frame_bytes);
        timed_byte_us.read(byte_us, queue);
        timed_byte_us.write(queue, byte_us + frame_bytes * ((time_us_t)round_trip << FLOW_TIME_SHIFT));
    }

    @hidden
    action count_untracked() {
        byte_count_t bytes;
        untracked_bytes.read(bytes, queue);
        untracked_bytes.write(queue, bytes + (byte_count_t)standard_metadata.packet_length);
    }

    apply {
        bit<32> index = (bit<32>)flow[31:16];
        flow_signature_t signature = flow[15:0];
        bool is_syn = tcp_flags & TCP_SYN != 0;
        bit<64> cell;
        flow_cells.read(cell, index);
        flow_time_t silence = now - cell[23:0];
        flow_age_t age = cell[35:24];
        round_trip_t round_trip = cell[47:36];
        bool is_vacant = cell == 0 || silence > FLOW_TIMEOUT;
        if (!is_vacant && cell[63:48] != signature) {
            count_untracked();
        } else if (is_syn) {
            // An answer to the second of two that have departed may be one to the first (Karn 1987).
            bool is_ambiguous = !is_vacant && round_trip == SYN_DEPARTED;
            flow_cells.write(index, signature
                             ++ (is_ambiguous ? ROUND_TRIP_UNKNOWN : SYN_ARRIVED) ++ (flow_age_t)0 ++ now);
        } else if (is_vacant) {
            flow_cells.write(index, signature ++ ROUND_TRIP_UNKNOWN ++ (flow_age_t)0 ++ now);
        } else if (silence != 0 || round_trip >= SYN_ARRIVED) {
            if (round_trip == SYN_ARRIVED) {
                round_trip = ROUND_TRIP_UNKNOWN;
            } else if (round_trip == SYN_DEPARTED) {
                round_trip = silence == 0 ? 1 : (round_trip_t)silence;
            }
            count_time(silence, age);
            if (round_trip != ROUND_TRIP_UNKNOWN) {
                count_round_trip(round_trip);
            }
            age = age |+| (flow_age_t)silence;
            flow_cells.write(index, signature ++ round_trip ++ age ++ now);
        }
    }
}

#endif

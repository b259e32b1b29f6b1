// Counts the flows of a queue, by the time for which they are active, and measures their round-trip times.
//
//   a packet of a known flow           -->  active_flow_us += time since the flow's packet before;
//                                           long_flow_us likewise, once the flow's age is LONG_FLOW_AGE
//   the same, its round trip is known  -->  timed_bytes += packet; timed_byte_us += packet * round trip
//   a packet whose cell is vacant      -->  the flow is known from now on
//   a packet in another flow's cell    -->  untracked_bytes += packet
//
// The mean number of flows in an interval is the increase of active_flow_us, divided by the interval's
// length. It needs no epochs: a flow stops counting with its last packet. A flow that sends seldom counts
// as much as one that sends often. Flows of one packet add nothing, however many there are.
//
// A round trip lasts from the departure of a TCP flow's SYN or SYN-ACK to the arrival of the flow's next
// packet, which its peer's answer has triggered. So it does not contain this port's queue, and packets of the
// other direction need not pass here. timed_byte_us / timed_bytes is the mean round trip, weighted by bytes. Only
// a flow's first packet in each 2^FLOW_TIME_SHIFT us counts, so flows above 4000 packets/s weigh less.
//
// A flow is all packets with the same hash. It has its cell until nothing has come for FLOW_TIMEOUT. Packets
// that the limit drops count like the others.
#ifndef FLOW_TIME_P4
#define FLOW_TIME_P4

#include "../adaptive/registers.p4"

typedef bit<24> flow_time_t;       // 2^FLOW_TIME_SHIFT us, wraps after 71 minutes
typedef bit<12> flow_age_t;        // likewise; stays at its maximum
typedef bit<12> round_trip_t;      // likewise, or one of the three values below
typedef bit<16> flow_signature_t;  // tells apart flows that have the same cell

#define FLOW_TIME_SHIFT 8
#define FLOW_CELLS 65536  // as many as 16 bits of a hash can name

const flow_time_t FLOW_TIMEOUT  = 4093;  // 1.05 s; a congested flow pauses for less
const flow_age_t  LONG_FLOW_AGE = 2048;  // 0.52 s

const bit<8> TCP_SYN = 0x02;  // RFC 9293, section 3.1

const round_trip_t ROUND_TRIP_UNKNOWN = 0;
const round_trip_t SYN_ARRIVED        = 0xffe;  // the SYN stands in the queue, or was dropped
const round_trip_t SYN_DEPARTED       = 0xfff;  // the flow's next packet ends the round trip

// Each cell has the signature, round trip and age of its last flow, and when that flow last sent.
// Writers: ingress; of a SYN's departure, egress.
@id(FLOW_CELLS_ID) @p4runtime_role(ROLE_BUFFER_CONTROL) register<bit<64>>(FLOW_CELLS) flow_cells;

// Runs in egress for every packet: notes when a SYN departs. Does nothing if another flow has the cell, or
// if the SYN was repeated.
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
        // Copies of packets have no stamp.
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
            // After two SYNs have departed, an answer may be to the first or the second (Karn 1987).
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

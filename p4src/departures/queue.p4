// Departures from the real queue.
//
//   ingress: admit, stamp = admitted bytes so far --> FIFO --> egress: departed = stamp
//
// The queue is first in, first out, so a packet's departure proves that all bytes stamped before
// it have left, on the wire or lost in a queue that overflowed. The next departure thus repairs
// any loss. Losses with nothing behind them would leave the count stuck: a port that has had
// bytes in its queue and no departure for STALL_TIMEOUT_US is taken for empty.
#ifndef DEPARTURES_P4
#define DEPARTURES_P4

#include "../headers.p4"
#include "../registers.p4"

// A live queue lets a packet go every MTU/C: 1 s holds for all rates above 12 kbit/s.
const time_us_t STALL_TIMEOUT_US = 1000000;

// All bytes admitted up to here have left or are lost. Writer: ingress.
@id(0x16000007) register<byte_count_t>(PORT_COUNT) written_off_bytes;

// When the queue last went from empty to busy. Writer: ingress.
@id(0x16000008) register<time_us_t>(PORT_COUNT)    busy_since_us;

// Yields the bytes that have left the port's queue.
control Departures(in port_index_t port,
                   in time_us_t now_us,
                   in byte_count_t admitted,
                   out byte_count_t departed) {
    apply {
        byte_count_t written_off;
        time_us_t last_departure_us;
        time_us_t busy_us;
        departed_bytes.read(departed, port);
        written_off_bytes.read(written_off, port);
        // Whichever is closer behind admitted is the later one; counts may have wrapped.
        if (admitted - written_off < admitted - departed) {
            departed = written_off;
        }
        if (departed == admitted) {
            busy_since_us.write(port, now_us);
            // Never so far behind that the comparison above could take it for the later one.
            written_off_bytes.write(port, admitted);
        } else {
            departed_at_us.read(last_departure_us, port);
            busy_since_us.read(busy_us, port);
            if (last_departure_us > busy_us) {
                busy_us = last_departure_us;
            }
            // Egress may have stamped a moment after now_us: then nothing has stalled.
            if (now_us > busy_us && now_us - busy_us > STALL_TIMEOUT_US) {
                written_off_bytes.write(port, admitted);
                departed = admitted;
            }
        }
    }
}

// Runs in egress, when the packet leaves the queue.
control RecordDeparture(in metadata_t meta, in standard_metadata_t standard_metadata) {
    apply {
        if (meta.admission_stamp != 0) {
            port_index_t port = (port_index_t)standard_metadata.egress_port;
            departed_bytes.write(port, meta.admission_stamp);
            departed_at_us.write(port, (time_us_t)standard_metadata.egress_global_timestamp);
        }
    }
}

#endif

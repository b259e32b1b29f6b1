// What controllers ask of queues, and are told: a packet-out to the CPU port, of ETHER_TYPE_MAILBOX, which
// comes back. Both headers, with the name and width of each field, are in P4Info.
#ifndef ADAPTIVE_MAILBOX_PACKET_P4
#define ADAPTIVE_MAILBOX_PACKET_P4

#include "types.p4"

// An Ethernet header. A program's own may be of another type.
header mailbox_frame_t {
    bit<96>      addresses;
    frame_type_t ether_type;  // ETHER_TYPE_MAILBOX
}

// Records follow.
@controller_header("mailbox")
header mailbox_t {
    @id(1) sequence_t     sequence;      // on the way back the request's
    @id(2) record_count_t record_count;
    @id(3) time_us_t      timestamp_us;  // on the way back: of all its snapshots
}

// One queue: what to write on the way in, its registers on the way back, all of the same instant. Fields
// to be written that the operation does not name are ignored.
@controller_header("mailbox_record")
header mailbox_record_t {
    @id(1)  mailbox_operation_t operation;        // on the way back with MAILBOX_SERVED
    @id(2)  port_index_t        port;                   // whose queue 0 it is; of others their index
    @id(3)  byte_count_t        queue_limit_bytes;      // to be written, then what is in force
    @id(4)  drain_rate_t        drain_rate;             // likewise
#ifdef MARK_PACKETS
    @id(5)  ecn_marking_t       ecn_marking;            // likewise
#endif
    @id(6)  byte_count_t        admitted_bytes;
    @id(7)  byte_count_t        dropped_bytes;
    @id(8)  byte_count_t        departed_bytes;
    @id(9)  time_us_t           unsaturated_us;         // with the time under way, and waits
    @id(10) byte_count_t        unsaturated_bytes;
    @id(11) sequence_t          backlog_window;         // that of the two extremes
    @id(12) byte_count_t        least_backlog_bytes;
    @id(13) byte_count_t        greatest_backlog_bytes;
#ifdef MARK_PACKETS
    @id(14) byte_count_t        marked_bytes;
#endif
#ifdef MEASURE_FLOWS
    @id(15) time_us_t           active_flow_us;
    @id(16) time_us_t           long_flow_us;
    @id(17) byte_count_t        untracked_bytes;
    @id(18) byte_count_t        timed_bytes;
    @id(19) time_us_t           timed_byte_us;
#endif
}

struct mailbox_packet_t {
    mailbox_frame_t frame;
    mailbox_t       head;
    mailbox_record_t[MAILBOX_RECORDS_MAX] records;
}

// Runs for what comes from the CPU port, where its Ethernet header begins. If the packet is none of the
// mailbox, nothing of it is taken. A count of 0, or of more than the stack has room for, ends in a parser
// error.
parser ParseMailbox(packet_in packet, out mailbox_packet_t hdr) {
    record_count_t records_left;

    state start {
        transition select(packet.lookahead<mailbox_frame_t>().ether_type) {
            ETHER_TYPE_MAILBOX: parse_head;
            default: accept;
        }
    }

    state parse_head {
        packet.extract(hdr.frame);
        packet.extract(hdr.head);
        records_left = hdr.head.record_count;
        transition parse_record;
    }

    state parse_record {
        packet.extract(hdr.records.next);
        records_left = records_left - 1;
        transition select(records_left) {
            0: accept;
            default: parse_record;
        }
    }
}

#endif

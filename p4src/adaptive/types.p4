// The widths and constants of queues and of their mailbox: all that a program of others takes of them.
#ifndef ADAPTIVE_TYPES_P4
#define ADAPTIVE_TYPES_P4

typedef bit<9>   port_t;              // as the architecture numbers ports
typedef bit<32>  port_index_t;        // the same number, as a register index
typedef bit<64>  byte_count_t;        // Ethernet frames without FCS, cumulative, wraps at 2^64
typedef bit<64>  time_us_t;           // since the data plane started
typedef bit<64>  drain_rate_t;        // bytes per 2^20 us; 10 Mbit/s is 1310720
typedef bit<8>   ecn_marking_t;       // 0: no packet is marked
typedef bit<16>  frame_type_t;        // an EtherType
typedef bit<2>   ecn_t;               // RFC 3168, the lowest bits of a traffic class
typedef bit<32>  sequence_t;          // of mailbox requests; also the number of a backlog window
typedef bit<8>   mailbox_operation_t; // a set of the MAILBOX_ flags below
typedef bit<8>   record_count_t;      // of the records in a mailbox packet

// One for each number that 9 bits can name.
#define PORT_COUNT 512

// The port that packet-out arrives on and packet-in leaves by (--cpu-port of the target).
const port_t CPU_PORT = 510;

// What v1model drops. As a target of packet-in: the packet would have gone nowhere.
const port_t DROP_PORT = 511;

const frame_type_t ETHER_TYPE_MAILBOX = 0x88b6;  // IEEE 802, EtherType 2 for local experiments

const mailbox_operation_t MAILBOX_WRITE_QUEUE_LIMIT    = 0x01;
const mailbox_operation_t MAILBOX_WRITE_DRAIN_RATE     = 0x02;
const mailbox_operation_t MAILBOX_START_BACKLOG_WINDOW = 0x04;
const mailbox_operation_t MAILBOX_WRITE_ECN_MARKING    = 0x08;
const mailbox_operation_t MAILBOX_SERVED               = 0x80; // set by the switch

// The most ports that one mailbox packet visits.
#define MAILBOX_RECORDS_MAX 64

// log2 of the microseconds that drain_rate_t counts its bytes in.
#define DRAIN_RATE_SHIFT 20

// What a packet takes along from ingress to egress.
struct adaptive_metadata_t {
    byte_count_t admission_stamp;       // admitted bytes up to and with this packet; 0: not counted
    bool         found_empty;           // no other packet was in its queue, or none that moves
    time_us_t    unsaturated_until_us;  // up to when ingress has counted unsaturated time
}

#endif

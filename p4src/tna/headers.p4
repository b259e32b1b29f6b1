// The controller's headers, and the metadata that travels with a packet, on TNA.
#ifndef TNA_HEADERS_P4
#define TNA_HEADERS_P4

#include "adapter.p4"

typedef bit<32> bytes_t;  // a queue, a limit or a frame; never near 2^31
typedef bit<16> claimed_bytes_t;  // a frame by what its headers say
typedef bit<48> time_ns_t;
typedef bit<8>  way_t;    // how a packet meets the backlog, see virtual_queue.p4
typedef bit<32> flow_ticks_t;  // 2^18 ns

// The most ports that one mailbox packet visits. Requests that wait take containers on their way:
// with one more Tofino 1 has less than half of those of 32 bits left.
#define MAILBOX_REQUESTS_MAX 5

// Stands behind the Ethernet header of a mailbox packet: a packet-out to CPU_PORT, whatever number the
// chip's has, of ETHER_TYPE_MAILBOX. Requests follow, MAILBOX_REQUESTS_MAX at most; on the way back as
// many records, that of the last request first.
@controller_header("mailbox")
header mailbox_t {
    @id(1) sequence_t sequence;  // on the way back the requests'
}

// What to do at one port. A limit that the operation does not name is ignored.
@controller_header("mailbox_request")
header mailbox_request_t {
    @id(1) mailbox_operation_t operation;
    @id(2) bit<8>              requests_left;  // that follow this one
    @id(3) bit<16>             port;
    @id(4) bytes_t             queue_limit_bytes;
}

// The port's registers, as the request's pass found them. Departed bytes are admitted less backlog;
// the bytes that the link could have sent and did not are the rate (byte_clock.p4) times the time
// between two records, less what departed between them.
@controller_header("mailbox_record")
header mailbox_record_t {
    @id(1)  bit<16>    port;
    @id(2)  time_ns_t  timestamp_ns;           // the chip's clock, wraps at 2^48
    @id(3)  bytes_t    admitted_bytes_high;    // cumulative, the upper 32 of 64 bits
    @id(4)  bytes_t    admitted_bytes_low;
    @id(5)  bytes_t    dropped_bytes_high;
    @id(6)  bytes_t    dropped_bytes_low;
    @id(7)  bytes_t    backlog_bytes;
    @id(8)  bytes_t    queue_limit_bytes;      // after the request's write
    @id(9)  bytes_t    least_backlog_bytes;
    @id(10) bytes_t    greatest_backlog_bytes;
    @id(11) sequence_t backlog_window;         // that of the two extremes
#ifdef MEASURE_FLOWS
    @id(12) bit<32>    active_ticks_high;      // in 2^18 ns: of all flows together, see flows.p4
    @id(13) bit<32>    active_ticks_low;
    @id(14) bit<32>    long_ticks_high;        // of the long ones among them
    @id(15) bit<32>    long_ticks_low;
    @id(16) bytes_t    untracked_bytes_high;
    @id(17) bytes_t    untracked_bytes_low;
#endif
}

// Bits of the stamp as words of their own (byte_clock.p4).
struct time_words_t {
    bit<32> of_8ns;
    bit<32> triple_8ns;
    bit<32> of_65536ns;
    bit<32> next_65536ns;
}

// What the registers of the virtual queue take from the packet (virtual_queue.p4).
struct queue_words_t {
    bytes_t clock;
    bytes_t elapsed;
    bytes_t wanted;    // what must be pending for the frame to drain it
    bytes_t first;     // the two that the backlog takes
    bytes_t second;
}

// What one packet does: the backlog it finds and leaves, and whether it is dropped.
struct passage_t {
    bytes_t found;
    bytes_t left;
    bool    dropped;
    bytes_t admitted_bytes;  // the lower words of the counts
    bytes_t dropped_bytes;
}

// What a packet says of its flow, and adds to its time (flows.p4); all 0 of what is of no flow.
struct flow_t {
    bit<32>      transport_ports;  // 0: not seen
    bit<32>      signature;
    flow_ticks_t now;
    flow_ticks_t silence;          // since the flow's packet before
    flow_ticks_t long_silence;     // the same of a long flow
    bool         is_untracked;     // another flow has its cell
    bytes_t      untracked_bytes;  // then, of its frame
}

// What flows have sent to a port, as in a record.
struct flow_counts_t {
    bit<32> active_ticks_high;
    bit<32> active_ticks_low;
    bit<32> long_ticks_high;
    bit<32> long_ticks_low;
    bytes_t untracked_bytes_high;
    bytes_t untracked_bytes_low;
}

// What the trap table asks of a packet, 0 where it has none, and what the table says (trap.p4).
struct trap_t {
    bit<8>            ttl;
    bit<8>            ip_protocol;
    bit<16>           destination_port;
    packet_in_class_t packet_in_class;
    bit<8>            color;
}

struct headers_t {
    packet_out_t packet_out;
    packet_in_t  packet_in;
    ethernet_t   ethernet;
    mailbox_t    mailbox;
    mailbox_request_t request;
    mailbox_request_t[MAILBOX_REQUESTS_MAX - 1] waiting;
    mailbox_record_t record;
    vlan_tag_t   outer_tag;
    vlan_tag_t   inner_tag;
    ipv4_t       ipv4;
    ipv6_t       ipv6;
}

struct metadata_t {
    bool    is_request;      // of the mailbox: a frame of no bytes, which adds nothing to a queue
    bool    forwarded;       // the tables found an egress port
    bool    checksum_error;
    bool    renew_checksum;  // an IPv4 header without options
    bytes_t frame_bytes;
    time_words_t time;
    queue_words_t words;
    passage_t passage;
    trap_t trap;
    flow_t flow;
    flow_counts_t flow_counts;
}

#endif

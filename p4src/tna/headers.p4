// The controller's headers, and the metadata that travels with a packet, on TNA.
#ifndef TNA_HEADERS_P4
#define TNA_HEADERS_P4

#include "adapter.p4"

typedef bit<32> bytes_t;  // a queue, a limit or a frame; never near 2^31
typedef bit<48> time_ns_t;

// Controller to switch: a mailbox request for one port. A limit that the operation does not name is
// ignored.
@controller_header("packet_out")
header packet_out_t {
    @id(1) mailbox_operation_t operation;
    @id(2) bit<8>              padding;
    @id(3) bit<16>             port;
    @id(4) sequence_t          sequence;
    @id(5) bytes_t             queue_limit_bytes;
}

// Switch to controller: the port's registers, as the request's pass found them. The rate is the
// program's, by port (rates.p4), and time the link had nothing to send is given in the bytes that
// it could have sent: seconds are idle_bytes * 8 / rate.
@controller_header("packet_in")
header packet_in_t {
    @id(1)  bit<16>    port;
    @id(2)  sequence_t sequence;               // the request's
    @id(3)  bit<16>    padding;
    @id(4)  time_ns_t  timestamp_ns;           // the chip's clock, wraps at 2^48
    @id(5)  bytes_t    admitted_bytes_high;    // cumulative, the upper 32 of 64 bits
    @id(6)  bytes_t    admitted_bytes_low;
    @id(7)  bytes_t    dropped_bytes_high;
    @id(8)  bytes_t    dropped_bytes_low;
    @id(9)  bytes_t    idle_bytes_high;
    @id(10) bytes_t    idle_bytes_low;
    @id(11) bytes_t    backlog_bytes;          // departed = admitted - backlog
    @id(12) bytes_t    queue_limit_bytes;      // after the request's write
    @id(13) bytes_t    least_backlog_bytes;
    @id(14) bytes_t    greatest_backlog_bytes;
    @id(15) sequence_t backlog_window;         // that of the two extremes
}

// What the registers of the virtual queue take from the packet (virtual_queue.p4).
struct queue_words_t {
    bytes_t clock;
    bit<32> time_65536ns;
    bit<32> next_65536ns;
    bytes_t elapsed;
    bytes_t wanted;    // what must be pending for the frame to drain it
    bytes_t first;     // the two that the backlog takes
    bytes_t second;
}

// What one packet does: the backlog it finds and leaves, and how many bytes it adds to each count.
struct passage_t {
    bytes_t found;
    bytes_t left;
    bytes_t admitted;
    bytes_t dropped;
    bytes_t idle;      // that the link could have sent and did not
}

// A count of 64 bits (byte_count.p4).
struct count_t {
    bytes_t high;
    bytes_t low;
}

struct headers_t {
    packet_out_t packet_out;
    packet_in_t  packet_in;
    ethernet_t   ethernet;
    ipv4_t       ipv4;
    ipv6_t       ipv6;
}

struct metadata_t {
    bool    is_request;      // of the mailbox: a frame of no bytes, which adds nothing to a queue
    bool    forwarded;       // the tables found an egress port
    bool    checksum_error;
    bool    renew_checksum;  // an IPv4 header without options
    bytes_t frame_bytes;
    queue_words_t words;
    passage_t passage;
    count_t admitted;
    count_t dropped;
    count_t idle;
}

#endif

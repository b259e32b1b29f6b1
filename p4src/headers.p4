// Packet headers, controller headers and the metadata that travels with a packet.
#ifndef HEADERS_P4
#define HEADERS_P4

#include "types.p4"

header ethernet_t {
    mac_address_t destination;
    mac_address_t source;
    ether_type_t  ether_type;
}

header vlan_tag_t {
    bit<16>       tag;         // priority, drop eligibility, VLAN
    ether_type_t  ether_type;  // of what follows
}

header ipv4_t {
    bit<4>          version;
    bit<4>          ihl;      // header length in 32-bit words, 5 to 15
    traffic_class_t traffic_class;
    bit<16>         total_len;
    bit<16>         identification;
    bit<3>          flags;
    bit<13>         fragment_offset;
    bit<8>          ttl;
    bit<8>          protocol;
    bit<16>         checksum;
    ipv4_address_t  source;
    ipv4_address_t  destination;
}

header ipv6_t {
    bit<4>          version;
    traffic_class_t traffic_class;
    bit<20>         flow_label;
    bit<16>         payload_bytes;
    bit<8>          next_header;
    bit<8>          hop_limit;
    ipv6_address_t  source;
    ipv6_address_t  destination;
}

// The first words of TCP's and UDP's headers.
header transport_t {
    bit<16> source_port;
    bit<16> destination_port;
}

// Controller to switch: a frame, which leaves by the port as it is, or is treated like one from a link.
@controller_header("packet_out")
header packet_out_t {
    @id(1) port_t          egress_port;        // ignored where the next is 1
    @id(2) bit<1>          submit_to_ingress;
    @id(3) @padding bit<6> unused_pad;
}

#define PACKET_OUT_BYTES 2

// Switch to controller: a frame as it came.
@controller_header("packet_in")
header packet_in_t {
    @id(1) port_t             ingress_port;
    @id(2) port_t             target_egress_port;  // that the tables have found; DROP_PORT: none
    @id(3) packet_in_reason_t reason;
}

// Stands behind the Ethernet header of a mailbox packet: a packet-out to the CPU port, of
// ETHER_TYPE_MAILBOX, which comes back. Its records follow.
@controller_header("mailbox")
header mailbox_t {
    @id(1) sequence_t     sequence;      // on the way back the request's
    @id(2) record_count_t record_count;
    @id(3) time_us_t      timestamp_us;  // on the way back: of all its snapshots
}

// One port in a mailbox packet: what to write on the way in, its registers on the way back, all of
// the same instant. Fields to be written that the operation does not name are ignored. The name
// and widths of the fields are in P4Info, like those of the three headers above.
@controller_header("mailbox_record")
header mailbox_record_t {
    @id(1)  mailbox_operation_t operation;        // on the way back with MAILBOX_SERVED
    @id(2)  port_index_t        port;
    @id(3)  byte_count_t        queue_limit_bytes;      // to be written, then what is in force
    @id(4)  drain_rate_t        drain_rate;             // likewise
    @id(5)  ecn_marking_t       ecn_marking;            // likewise
    @id(6)  byte_count_t        admitted_bytes;
    @id(7)  byte_count_t        dropped_bytes;
    @id(8)  byte_count_t        departed_bytes;
    @id(9)  time_us_t           unsaturated_us;         // with the time under way, and waits
    @id(10) byte_count_t        unsaturated_bytes;
    @id(11) sequence_t          backlog_window;         // that of the two extremes
    @id(12) byte_count_t        least_backlog_bytes;
    @id(13) byte_count_t        greatest_backlog_bytes;
    @id(14) byte_count_t        marked_bytes;
#ifndef WITHOUT_FLOWS
    @id(15) time_us_t           active_flow_us;
    @id(16) time_us_t           long_flow_us;
    @id(17) byte_count_t        untracked_bytes;
    @id(18) byte_count_t        timed_bytes;
    @id(19) time_us_t           timed_byte_us;
#endif
}

struct headers_t {
    packet_out_t packet_out;
    packet_in_t  packet_in;
    ethernet_t   ethernet;
    mailbox_t    mailbox;
    mailbox_record_t[MAILBOX_RECORDS_MAX] records;
    vlan_tag_t   outer_tag;
    vlan_tag_t   inner_tag;
    ipv4_t       ipv4;
    ipv6_t       ipv6;
    transport_t  transport;
}

// What a copy of a packet takes along.
const bit<8> COPY_FIELDS = 1;

struct metadata_t {
    record_count_t records_left;        // mailbox records that the parser has yet to extract
    bit<32>      transport_ports;       // source and destination; 0: not seen
    bit<8>       tcp_flags;             // 0: not seen
    bit<32>      flow;                  // of a TCP connection's first packet, its hash
    bool         forwarded;             // the tables found an egress port
    packet_in_class_t packet_in_class;
    bool         is_excess;             // of its class more than its rate allows
    @field_list(COPY_FIELDS) packet_in_reason_t packet_in_reason;
    @field_list(COPY_FIELDS) port_t             target_egress_port;
    @field_list(COPY_FIELDS) port_t             copied_from_port;  // a copy knows of none
    byte_count_t admission_stamp;       // admitted bytes up to and with this packet; 0: not counted
    bool         found_empty;           // no other packet was in its queue, or none that moves
    time_us_t    unsaturated_until_us;  // up to when ingress has counted unsaturated time
}

error {
    BadIpVersion,
    BadIpv4HeaderLength
}

#endif

// Packet headers, and the metadata that travels with a packet.
#ifndef HEADERS_P4
#define HEADERS_P4

#include "adaptive/packet_io_headers.p4"
#include "adaptive/mailbox_packet.p4"
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

struct headers_t {
    packet_out_t packet_out;
    packet_in_t  packet_in;
    mailbox_packet_t mailbox;
    ethernet_t   ethernet;
    vlan_tag_t   outer_tag;
    vlan_tag_t   inner_tag;
    ipv4_t       ipv4;
    ipv6_t       ipv6;
    transport_t  transport;
}

// What a copy of a packet takes along.
const bit<8> COPY_FIELDS = 1;

struct metadata_t {
    bit<32>      transport_ports;       // source and destination; 0: not seen
    bit<8>       tcp_flags;             // 0: not seen
    bit<32>      flow;                  // of an IP packet, its flow's hash
    bool         forwarded;             // the tables found an egress port
    packet_in_class_t packet_in_class;
    bool         is_excess;             // of its class more than its rate allows
    @field_list(COPY_FIELDS) packet_in_reason_t packet_in_reason;
    @field_list(COPY_FIELDS) port_t             target_egress_port;
    @field_list(COPY_FIELDS) port_t             copied_from_port;  // a copy knows of none
    adaptive_metadata_t adaptive;
}

error {
    BadIpVersion,
    BadIpv4HeaderLength
}

#endif

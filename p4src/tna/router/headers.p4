// Headers and metadata of a router: those that the queue's ingress asks for, as in ../headers.p4, and
// the router's own.
#ifndef TNA_ROUTER_HEADERS_P4
#define TNA_ROUTER_HEADERS_P4

// Before the names are taken below: it lends and takes back the same two.
#include "../adapter.p4"

#define headers_t headers_without_router_t
#define metadata_t metadata_without_router_t
#include "../headers.p4"
#undef headers_t
#undef metadata_t

typedef bit<10> vrf_t;
typedef bit<6>  access_label_t;  // the rules that hold for what comes in by an interface
typedef bit<16> next_hop_t;      // one neighbour, or a group of them with equal cost
typedef bit<16> neighbour_t;
typedef bit<16> flow_hash_t;

// The port's router interface; 64 bits at most come with a packet on Tofino 1.
struct interface_t {
    vrf_t          vrf;
    access_label_t access_label;
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
    transport_t  transport;
}

struct metadata_t {
    // The queue's.
    bool    is_request;
    bool    forwarded;
    bool    checksum_error;
    bool    renew_checksum;
    bytes_t frame_bytes;
    time_words_t time;
    queue_words_t words;
    passage_t passage;
    trap_t trap;
    flow_t flow;
    flow_counts_t flow_counts;
    // The router's.
    interface_t interface;
    bool        for_router;  // its frame is addressed to a router station
    bool        denied;
    flow_hash_t flow_hash;
    next_hop_t  next_hop;
    neighbour_t neighbour;
}

#endif

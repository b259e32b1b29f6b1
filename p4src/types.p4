// The widths and constants that every other file of the data plane uses.
#ifndef TYPES_P4
#define TYPES_P4

typedef bit<48>  mac_address_t;
typedef bit<32>  ipv4_address_t;
typedef bit<128> ipv6_address_t;
typedef bit<16>  ether_type_t;

typedef bit<9>   port_t;              // as the architecture numbers ports
typedef bit<32>  port_index_t;        // the same number, as a register index
typedef bit<64>  byte_count_t;        // Ethernet frames without FCS, cumulative, wraps at 2^64
typedef bit<64>  time_us_t;           // since the data plane started
typedef bit<64>  drain_rate_t;        // bytes per 2^20 us; 10 Mbit/s is 1310720
typedef bit<8>   traffic_class_t;     // DSCP and, in its two lowest bits, ECN (RFC 3168)
typedef bit<8>   ecn_marking_t;       // 0: no packet is marked
typedef bit<32>  sequence_t;          // of mailbox requests; also the number of a backlog window
typedef bit<8>   mailbox_operation_t; // a set of the MAILBOX_ flags below
typedef bit<8>   record_count_t;      // of the records in a mailbox packet
typedef bit<6>   packet_in_reason_t;  // one of the PACKET_IN_ numbers below
typedef bit<2>   packet_in_class_t;   // of packets to the controller that share one rate
typedef bit<16>  multicast_group_t;   // 0: none
typedef bit<32>  clone_session_t;     // 1 to 32767

const ether_type_t ETHER_TYPE_IPV4 = 0x0800;
const ether_type_t ETHER_TYPE_IPV6 = 0x86dd;
const ether_type_t ETHER_TYPE_VLAN = 0x8100;     // IEEE 802.1Q, a customer's tag
const ether_type_t ETHER_TYPE_SERVICE = 0x88a8;  // IEEE 802.1Q, a provider's tag (QinQ)
const ether_type_t ETHER_TYPE_MAILBOX = 0x88b6;  // IEEE 802, EtherType 2 for local experiments

const bit<8> PROTOCOL_TCP = 6;
const bit<8> PROTOCOL_UDP = 17;

// One register element per port number that 9 bits can name.
#define PORT_COUNT 512

// The port that packet-out arrives on and packet-in leaves by (--cpu-port of the target).
const port_t CPU_PORT = 510;

// What v1model drops. As a target of packet-in: the packet would have gone nowhere.
const port_t DROP_PORT = 511;

// The clone session that copies for the controller leave by; as in PINS.
const clone_session_t COPY_SESSION = 255;

// Why a packet comes to the controller: a table or a group has sent it to the CPU port; it is a mailbox
// request on its way back; an entry of the trap table has redirected or copied it.
const packet_in_reason_t PACKET_IN_FORWARDED  = 0;
const packet_in_reason_t PACKET_IN_MAILBOX    = 1;
const packet_in_reason_t PACKET_IN_REDIRECTED = 2;
const packet_in_reason_t PACKET_IN_COPIED     = 3;

// One for each number that 2 bits can name.
#define PACKET_IN_CLASS_COUNT 4

const mailbox_operation_t MAILBOX_WRITE_QUEUE_LIMIT    = 0x01;
const mailbox_operation_t MAILBOX_WRITE_DRAIN_RATE     = 0x02;
const mailbox_operation_t MAILBOX_START_BACKLOG_WINDOW = 0x04;
const mailbox_operation_t MAILBOX_WRITE_ECN_MARKING    = 0x08;
const mailbox_operation_t MAILBOX_SERVED               = 0x80; // set by the switch

// The most ports that one mailbox packet visits.
#define MAILBOX_RECORDS_MAX 64

// The ECN bits of a packet that has met congestion. 0: its sender does not understand ECN.
const traffic_class_t ECN_CONGESTION_EXPERIENCED = 0x03;

// log2 of the microseconds that drain_rate_t counts its bytes in.
#define DRAIN_RATE_SHIFT 20

#endif

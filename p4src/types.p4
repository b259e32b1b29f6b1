// The widths and constants of frames and of the programs' tables.
#ifndef TYPES_P4
#define TYPES_P4

#include "adaptive/types.p4"

typedef bit<48>  mac_address_t;
typedef bit<32>  ipv4_address_t;
typedef bit<128> ipv6_address_t;
typedef bit<16>  ether_type_t;

typedef bit<8>   traffic_class_t;     // DSCP and, in its two lowest bits, ECN (RFC 3168)
typedef bit<2>   packet_in_class_t;   // of packets to the controller that share one rate
typedef bit<16>  multicast_group_t;   // 0: none
typedef bit<32>  clone_session_t;     // 1 to 32767

const ether_type_t ETHER_TYPE_IPV4 = 0x0800;
const ether_type_t ETHER_TYPE_IPV6 = 0x86dd;
const ether_type_t ETHER_TYPE_VLAN = 0x8100;     // IEEE 802.1Q, a customer's tag
const ether_type_t ETHER_TYPE_SERVICE = 0x88a8;  // IEEE 802.1Q, a provider's tag (QinQ)

const bit<8> PROTOCOL_TCP = 6;
const bit<8> PROTOCOL_UDP = 17;

// The clone session that copies for the controller leave by; as in PINS.
const clone_session_t COPY_SESSION = 255;

// One for each number that 2 bits can name.
#define PACKET_IN_CLASS_COUNT 4

#endif

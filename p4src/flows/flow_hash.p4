// A hash of a flow's words, one after the other.
#ifndef FLOW_HASH_P4
#define FLOW_HASH_P4

#include "../types.p4"

// Multiplicative hashing (Knuth, The Art of Computer Programming 3, section 6.4): v1model's CRC takes an
// engine longer than all the rest of the measurement.
bit<32> mixed(in bit<32> seed, in bit<32> word) {
    bit<32> product = (seed ^ word) * 0x9e3779b1;
    return product ^ (product >> 15);
}

bit<32> mixed_address(in bit<32> seed, in ipv6_address_t address) {
    return mixed(mixed(seed, address[127:96] ^ address[63:32]), address[95:64] ^ address[31:0]);
}

#endif

// Hashes the words that identify a flow, one after the other.
#ifndef FLOW_HASH_P4
#define FLOW_HASH_P4

// Multiplicative hashing (Knuth, The Art of Computer Programming 3, section 6.4), keeping the middle bits.
// v1model's CRC would take longer than all the rest of the measurement. Each argument is used only once,
// because p4c copies its expression to every use.
bit<32> mixed(in bit<32> seed, in bit<32> word) {
    return ((bit<64>)(seed ^ word) * 0x9e3779b1)[47:16];
}

#endif

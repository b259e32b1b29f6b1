// A hash of a flow's words, one after the other.
#ifndef FLOW_HASH_P4
#define FLOW_HASH_P4

// Multiplicative hashing (Knuth, The Art of Computer Programming 3, section 6.4), of which the middle bits
// are kept: v1model's CRC takes an engine longer than all the rest of the measurement. Each word stands in
// it once, because p4c writes an expression out wherever it is used.
bit<32> mixed(in bit<32> seed, in bit<32> word) {
    return ((bit<64>)(seed ^ word) * 0x9e3779b1)[47:16];
}

#endif

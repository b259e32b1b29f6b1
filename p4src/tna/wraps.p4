// The upper 32 of a count's 64 bits: a stateful ALU gives back one word of 32. They notice by
// themselves that the lower ones have come round, so every packet must pass both.
#ifndef TNA_WRAPS_P4
#define TNA_WRAPS_P4

#include "headers.p4"

struct wraps_t {
    bytes_t previous;
    bytes_t wraps;
}

control Wraps(in port_t port, in bytes_t low, out bytes_t high)(bit<32> ports) {
    Register<wraps_t, port_t>(ports, {0, 0}) wraps;

    RegisterAction<wraps_t, port_t, bytes_t>(wraps) carry = {
        void apply(inout wraps_t value, out bytes_t total) {
            if (value.previous > low) {
                value.wraps = value.wraps + 1;
            } else {
                value.wraps = value.wraps;  // what no ALU has passed cannot be given back
            }
            value.previous = low;
            total = value.wraps;
        }
    };

    apply {
        high = carry.execute(port);
    }
}

#endif

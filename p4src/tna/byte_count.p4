// A count of 64 bits in two registers of 32: a stateful ALU gives back one word of 32 bits. The
// upper one notices by itself that the lower one has come round, so every packet must pass both.
#ifndef TNA_BYTE_COUNT_P4
#define TNA_BYTE_COUNT_P4

#include "headers.p4"

struct wraps_t {
    bytes_t previous;
    bytes_t wraps;
}

control ByteCount(in port_t port, in bytes_t bytes, inout count_t count)(bit<32> ports) {
    Register<bytes_t, port_t>(ports, 0) low_bytes;
    Register<wraps_t, port_t>(ports, {0, 0}) high_bytes;

    RegisterAction<bytes_t, port_t, bytes_t>(low_bytes) add = {
        void apply(inout bytes_t value, out bytes_t total) {
            value = value + bytes;
            total = value;
        }
    };

    RegisterAction<wraps_t, port_t, bytes_t>(high_bytes) carry = {
        void apply(inout wraps_t value, out bytes_t total) {
            if (value.previous > count.low) {
                value.wraps = value.wraps + 1;
            } else {
                value.wraps = value.wraps;  // what no ALU has passed cannot be given back
            }
            value.previous = count.low;
            total = value.wraps;
        }
    };

    apply {
        count.low = add.execute(port);
        count.high = carry.execute(port);
    }
}

#endif

// A clock that counts the bytes a link of the port's rate can send: 2^32 bytes, then from zero.
//
//   bytes = rate in Gbit/s * (nanoseconds / 8)
//
// A bit takes one nanosecond at 1 Gbit/s, so a whole number of Gbit/s times 8 ns is a whole number
// of bytes: the clock has no rounding that could add up, and goes on without a step when the time
// wraps. It advances in steps of 8 ns. A product takes two shifts and one sum, of the time or its
// triple.
#ifndef TNA_BYTE_CLOCK_P4
#define TNA_BYTE_CLOCK_P4

#include "headers.p4"

// Once the port is known: the clock's value as two summands, and how long a silence may last before
// the clock could come round. Time without a packet is counted in 2^16 ns; from the first of the
// mask's bits on, at least 2^30 and less than 2^31 bytes could have been sent.
control DrainRate(in port_t port,
                  in bit<32> time_8ns,
                  in bit<32> triple_8ns,
                  out bytes_t near,
                  out bytes_t far,
                  out bit<32> silence_mask) {
    // No queue: whatever comes has drained when the next one comes.
    @id(0x01010000)
    action unlimited() {
        near = 0;
        far = 0;
        silence_mask = 0xffffffff;
    }

    @id(0x01010001)
    action gbps_1() {
        near = 0;
        far = time_8ns;
        silence_mask = 0xfffe0000;
    }

    @id(0x01010009)
    action gbps_9() {
        near = time_8ns << 3;
        far = time_8ns;
        silence_mask = 0xffffc000;
    }

    @id(0x0101000a)
    action gbps_10() {
        near = time_8ns << 3;
        far = time_8ns << 1;
        silence_mask = 0xffffc000;
    }

    @id(0x01010018)
    action gbps_24() {
        near = triple_8ns << 3;
        far = 0;
        silence_mask = 0xffffe000;
    }

    @id(0x01010019)
    action gbps_25() {
        near = triple_8ns << 3;
        far = time_8ns;
        silence_mask = 0xffffe000;
    }

    @id(0x01010028)
    action gbps_40() {
        near = time_8ns << 5;
        far = time_8ns << 3;
        silence_mask = 0xfffff000;
    }

    @id(0x01010031)
    action gbps_49() {
        near = triple_8ns << 4;
        far = time_8ns;
        silence_mask = 0xfffff000;
    }

    @id(0x01010032)
    action gbps_50() {
        near = triple_8ns << 4;
        far = time_8ns << 1;
        silence_mask = 0xfffff000;
    }

    @id(0x01010062)
    action gbps_98() {
        near = triple_8ns << 5;
        far = time_8ns << 1;
        silence_mask = 0xfffff800;
    }

    @id(0x01010064)
    action gbps_100() {
        near = triple_8ns << 5;
        far = time_8ns << 2;
        silence_mask = 0xfffff800;
    }

    @id(0x010100c8)
    action gbps_200() {
        near = triple_8ns << 6;
        far = time_8ns << 3;
        silence_mask = 0xfffffc00;
    }

    @id(0x01010190)
    action gbps_400() {
        near = triple_8ns << 7;
        far = time_8ns << 4;
        silence_mask = 0xfffffe00;
    }

    @id(0x02010001)
    table drain_rate {
        key = { port: exact; }
        actions = {
            @defaultonly unlimited;
            gbps_1; gbps_9; gbps_10; gbps_24; gbps_25; gbps_40; gbps_49; gbps_50;
            gbps_98; gbps_100; gbps_200; gbps_400;
        }
        const default_action = unlimited();
        size = PORT_COUNT;
    }

    apply {
        drain_rate.apply();
    }
}

#endif

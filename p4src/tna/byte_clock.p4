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

// By way of the hash unit, which takes any bits to any word, whatever holds the stamp.
control TimeWords(in time_ns_t now_ns, inout time_words_t time) {
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) of_8ns;
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) of_4ns;
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) of_65536ns;
    bit<32> double_8ns;

    action take_8ns() { time.of_8ns = of_8ns.get(now_ns[34:3]); }
    action take_4ns() { double_8ns = of_4ns.get(now_ns[33:3] ++ 1w0); }
    action take_65536ns() { time.of_65536ns = of_65536ns.get(now_ns[47:16]); }

    // The clock is the longest way through the stages: it waits for no other table.
    @stage(0) @hidden
    table of_8ns_table {
        actions = { take_8ns; }
        const default_action = take_8ns();
        size = 1;
    }

    @stage(0) @hidden
    table of_4ns_table {
        actions = { take_4ns; }
        const default_action = take_4ns();
        size = 1;
    }

    @stage(0) @hidden
    table of_65536ns_table {
        actions = { take_65536ns; }
        const default_action = take_65536ns();
        size = 1;
    }

    action add() {
        time.triple_8ns = time.of_8ns + double_8ns;
        time.next_65536ns = time.of_65536ns + 1;
    }

    apply {
        of_8ns_table.apply();
        of_4ns_table.apply();
        of_65536ns_table.apply();
        add();
    }
}

// Once the port is known: the clock's value as two summands, and how long a silence may last before
// the clock could come round. Time without a packet is counted in 2^16 ns; from the first of the
// mask's bits on, at least 2^30 and less than 2^31 bytes could have been sent.
control DrainRate(in port_t port,
                  in time_words_t time,
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
        far = time.of_8ns;
        silence_mask = 0xfffe0000;
    }

    @id(0x01010009)
    action gbps_9() {
        near = time.of_8ns << 3;
        far = time.of_8ns;
        silence_mask = 0xffffc000;
    }

    @id(0x0101000a)
    action gbps_10() {
        near = time.of_8ns << 3;
        far = time.of_8ns << 1;
        silence_mask = 0xffffc000;
    }

    @id(0x01010018)
    action gbps_24() {
        near = time.triple_8ns << 3;
        far = 0;
        silence_mask = 0xffffe000;
    }

    @id(0x01010019)
    action gbps_25() {
        near = time.triple_8ns << 3;
        far = time.of_8ns;
        silence_mask = 0xffffe000;
    }

    @id(0x01010028)
    action gbps_40() {
        near = time.of_8ns << 5;
        far = time.of_8ns << 3;
        silence_mask = 0xfffff000;
    }

    @id(0x01010031)
    action gbps_49() {
        near = time.triple_8ns << 4;
        far = time.of_8ns;
        silence_mask = 0xfffff000;
    }

    @id(0x01010032)
    action gbps_50() {
        near = time.triple_8ns << 4;
        far = time.of_8ns << 1;
        silence_mask = 0xfffff000;
    }

    @id(0x01010062)
    action gbps_98() {
        near = time.triple_8ns << 5;
        far = time.of_8ns << 1;
        silence_mask = 0xfffff800;
    }

    @id(0x01010064)
    action gbps_100() {
        near = time.triple_8ns << 5;
        far = time.of_8ns << 2;
        silence_mask = 0xfffff800;
    }

    @id(0x010100c8)
    action gbps_200() {
        near = time.triple_8ns << 6;
        far = time.of_8ns << 3;
        silence_mask = 0xfffffc00;
    }

    @id(0x01010190)
    action gbps_400() {
        near = time.triple_8ns << 7;
        far = time.of_8ns << 4;
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

// What a frame counts for: what it takes of the wire, so that bytes per second are the port's nominal
// rate when it is never idle, whatever the frames' sizes. That is at most a frame of the port's MTU: a
// forged length counts for no more.
#ifndef TNA_WIRE_BYTES_P4
#define TNA_WIRE_BYTES_P4

#include "frame_bytes.p4"

control WireBytes(in port_t port, inout claimed_bytes_t claimed_bytes, inout bytes_t frame_bytes) {
    // By way of the hash unit: no other takes 16 bits to a word of 32.
    Hash<bytes_t>(HashAlgorithm_t.IDENTITY) wide;

    // What a frame of the port's MTU takes of the wire. Writer: controller.
    @id(0x01030000)
    action at_most(claimed_bytes_t wire_bytes) { claimed_bytes = min(claimed_bytes, wire_bytes); }

    @id(0x02030001)
    table port_mtu {
        key = { port: exact; }
        actions = { at_most; }
        default_action = at_most(1514 + WIRE_OVERHEAD_BYTES);
        size = PORT_COUNT;
    }

    action widen() { frame_bytes = wide.get(claimed_bytes); }

    apply {
        port_mtu.apply();
        widen();
    }
}

#endif

// How many flows send to a port, measured as time, as in ../flows/flow_time.p4, but without round trips.
//
//   a packet of a flow that is known   -->  active_ticks += ticks since the flow's packet before;
//                                           long_ticks likewise, once the flow has lasted for long
//   a packet in a cell that is vacant  -->  the flow is known from here on
//   a packet in another flow's cell    -->  untracked_bytes += packet
//
// A cell compares a signature and two times, which takes more comparisons than Tofino 1 has: this is for
// Tofino 2. Times wrap after 78 hours; then every cell is vacant, once.
#ifndef TNA_FLOWS_P4
#define TNA_FLOWS_P4

#include "headers.p4"
#include "wraps.p4"

typedef bit<15> flow_index_t;

#define FLOW_CELLS 32768

// A flow that has been silent for longer begins anew: 1.07 s.
const flow_ticks_t FLOW_TIMEOUT = 4095;

// Bits of a silence beyond the timeout, and of the age of a long flow: 0.54 s.
#define BEYOND_TIMEOUT 0xfffff000
#define LONG_FLOW_AGE  0xfffff800

struct flow_cell_t {
    bit<32>      signature;
    flow_ticks_t seen;
}

// Which flow a packet is of.
control HashFlow(in headers_t hdr, inout flow_t flow) {
    Hash<bit<32>>(HashAlgorithm_t.CRC32) of_ipv4;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) of_ipv6;

    action hash_ipv4() {
        flow.signature = of_ipv4.get({ hdr.ipv4.source, hdr.ipv4.destination, hdr.ipv4.protocol,
                                       flow.transport_ports });
    }

    action hash_ipv6() {
        flow.signature = of_ipv6.get({ hdr.ipv6.source, hdr.ipv6.destination, hdr.ipv6.flow_label,
                                       hdr.ipv6.next_header, flow.transport_ports });
    }

    apply {
        if (hdr.ipv4.isValid()) {
            hash_ipv4();
        } else {
            hash_ipv6();
        }
    }
}

// What a packet adds to its flow's time.
control TimeFlow(inout flow_t flow) {
    Register<flow_cell_t, flow_index_t>(FLOW_CELLS, {0, 0}) flow_cells;
    Register<flow_ticks_t, flow_index_t>(FLOW_CELLS, 0) flow_ages;

    flow_index_t cell;
    flow_ticks_t seen;
    bit<32>      owner;
    bit<32>      difference;
    flow_ticks_t age;

    // Answers the cell as it was. A stamp after this packet's is from before the time wrapped.
    RegisterAction<flow_cell_t, flow_index_t, bit<32>>(flow_cells) visit = {
        void apply(inout flow_cell_t value, out bit<32> last, out bit<32> signature) {
            last = value.seen;
            signature = value.signature;
            if (value.signature == flow.signature || flow.now - value.seen > FLOW_TIMEOUT
                || value.seen > flow.now) {
                value.signature = flow.signature;
                value.seen = flow.now;
            }
        }
    };

    // Answers the age before.
    RegisterAction<flow_ticks_t, flow_index_t, flow_ticks_t>(flow_ages) grow = {
        void apply(inout flow_ticks_t value, out flow_ticks_t before) {
            before = value;
            value = value |+| flow.silence;
        }
    };

    RegisterAction<flow_ticks_t, flow_index_t, flow_ticks_t>(flow_ages) begin = {
        void apply(inout flow_ticks_t value, out flow_ticks_t before) {
            before = 0;
            value = 0;
        }
    };

    action go_on() { age = grow.execute(cell); }
    action begin_anew() { age = begin.execute(cell); flow.silence = 0; }
    action leave_untracked() { age = 0; flow.silence = 0; flow.is_untracked = true; }
    action judge_nothing() { age = 0; }

    table judge_cell {
        key = { flow.silence: ternary; difference: ternary; }
        actions = { go_on; begin_anew; leave_untracked; @defaultonly judge_nothing; }
        const entries = {
            (0 &&& BEYOND_TIMEOUT, 0): go_on();
            (0 &&& BEYOND_TIMEOUT, _): leave_untracked();
            (_, _): begin_anew();
        }
        const default_action = judge_nothing();
        size = 4;
    }

    action count_short() { flow.long_silence = 0; }
    action count_long() { flow.long_silence = flow.silence; }

    table judge_age {
        key = { age: ternary; }
        actions = { count_short; count_long; }
        const entries = { 0 &&& LONG_FLOW_AGE: count_short(); }
        const default_action = count_long();
        size = 2;
    }

    apply {
        cell = flow.signature[14:0];
        seen = visit.execute(cell, owner);
        flow.silence = flow.now - seen;
        difference = owner ^ flow.signature;
        judge_cell.apply();
        judge_age.apply();
    }
}

// Runs for every packet that is no request, before its port is known.
control MeasureFlow(in headers_t hdr, in time_ns_t now_ns, inout flow_t flow) {
    HashFlow() hash_flow;
    TimeFlow() time_flow;
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) of_262144ns;

    apply {
        if (hdr.ipv4.isValid() || hdr.ipv6.isValid()) {
            flow.now = of_262144ns.get(now_ns[47:18]);
            hash_flow.apply(hdr, flow);
            time_flow.apply(flow);
        }
    }
}

// A sum over what has been sent to a port.
control SumOfPort(in port_t port, in bit<32> added, inout bit<32> high, inout bit<32> low) {
    Register<bit<32>, port_t>(PORT_COUNT, 0) sum;  // the lower word
    Wraps(PORT_COUNT) wraps_of_sum;

    RegisterAction<bit<32>, port_t, bit<32>>(sum) add = {
        void apply(inout bit<32> value, out bit<32> total) {
            value = value + added;
            total = value;
        }
    };

    apply {
        low = add.execute(port);
        wraps_of_sum.apply(port, low, high);
    }
}

// Runs for every packet that has a port, requests included.
control CountFlow(in port_t port, in bytes_t frame_bytes, inout flow_t flow, inout flow_counts_t counts) {
    SumOfPort() active_ticks;
    SumOfPort() long_ticks;
    SumOfPort() untracked_bytes;

    apply {
        if (flow.is_untracked) {
            flow.untracked_bytes = frame_bytes;
        }
        active_ticks.apply(port, flow.silence, counts.active_ticks_high, counts.active_ticks_low);
        long_ticks.apply(port, flow.long_silence, counts.long_ticks_high, counts.long_ticks_low);
        untracked_bytes.apply(port, flow.untracked_bytes, counts.untracked_bytes_high, counts.untracked_bytes_low);
    }
}

#endif

// How many flows send to a port, measured as time: a flow that is active adds one second every second.
//
//   a packet of a flow that is known   -->  active_flow_us += time since the flow's packet before;
//                                           long_flow_us likewise, once the flow has lasted for long
//   a packet in a cell that is vacant  -->  the flow is known from here on
//   a packet in another flow's cell    -->  untracked_bytes += packet
//
// So the mean number of flows over any time is the advance of the flows' time over that of the clock,
// without epochs: a flow that has left stops counting with its last packet, and one that sends seldom
// counts as much as one that sends often. Flows of one packet add nothing, however many there are.
//
// A flow is what has addresses, protocol and ports in common, and of IPv6 the flow label (RFC 6437). Ports
// are not seen in fragments and behind IPv4 options. A cell is its flow's until nothing has come for
// FLOW_TIMEOUT. Packets that the limit drops count like the others.
#ifndef FLOW_TIME_P4
#define FLOW_TIME_P4

#include "../headers.p4"
#include "../registers.p4"
#include "flow_hash.p4"

typedef bit<24> flow_time_t;       // 2^FLOW_TIME_SHIFT us, wraps after 4.8 hours
typedef bit<16> flow_age_t;        // likewise, of what counts of it
typedef bit<16> flow_signature_t;  // tells a cell's flow from others with the same cell

#define FLOW_TIME_SHIFT 10
#define FLOW_CELLS 65536  // as many as 16 bits of a hash can name

const flow_time_t FLOW_TIMEOUT  = 1024;  // 1.05 s; a congested flow sends at least so often
const flow_age_t  LONG_FLOW_AGE = 512;   // 0.52 s

// Of the flow that was seen last: its signature, its age, and when it was seen. Writer: ingress.
@id(0x16000023) register<bit<64>>(FLOW_CELLS) flow_cells;

// Runs for every IP packet that has an egress port.
control MeasureFlows(in headers_t hdr,
                     in metadata_t meta,
                     in standard_metadata_t standard_metadata) {
    port_index_t port = (port_index_t)standard_metadata.egress_spec;
    flow_time_t now = (flow_time_t)(standard_metadata.ingress_global_timestamp >> FLOW_TIME_SHIFT);

    @hidden
    action count_time(in flow_time_t silence, in flow_age_t age) {
        time_us_t silence_us = (time_us_t)silence << FLOW_TIME_SHIFT;
        time_us_t active_us;
        active_flow_us.read(active_us, port);
        active_flow_us.write(port, active_us + silence_us);
        if (age >= LONG_FLOW_AGE) {
            time_us_t long_us;
            long_flow_us.read(long_us, port);
            long_flow_us.write(port, long_us + silence_us);
        }
    }

    @hidden
    action count_untracked() {
        byte_count_t bytes;
        untracked_bytes.read(bytes, port);
        untracked_bytes.write(port, bytes + (byte_count_t)standard_metadata.packet_length);
    }

    apply {
        bit<32> flow;
        if (hdr.ipv4.isValid()) {
            flow = mixed(meta.transport_ports, hdr.ipv4.source);
            flow = mixed(flow, hdr.ipv4.destination);
            flow = mixed(flow, (bit<32>)hdr.ipv4.protocol);
        } else {
            flow = mixed_address(meta.transport_ports, hdr.ipv6.source);
            flow = mixed_address(flow, hdr.ipv6.destination);
            flow = mixed(flow, hdr.ipv6.flow_label ++ 4w0 ++ hdr.ipv6.next_header);
        }
        bit<32> index = (bit<32>)flow[31:16];
        flow_signature_t signature = flow[15:0];
        bit<64> cell;
        flow_cells.read(cell, index);
        flow_time_t silence = now - cell[23:0];
        flow_age_t age = cell[39:24];
        if (cell == 0 || silence > FLOW_TIMEOUT) {
            flow_cells.write(index, signature ++ 8w0 ++ (flow_age_t)0 ++ now);
        } else if (cell[63:48] != signature) {
            count_untracked();
        } else if (silence != 0) {
            count_time(silence, age);
            age = age |+| (flow_age_t)silence;
            flow_cells.write(index, signature ++ 8w0 ++ age ++ now);
        }
    }
}

#endif

// Measures flows (flow_time.p4) in a program of others. It defines MEASURE_FLOWS before it includes adaptive.p4,
// includes this file after it, and takes
//
//   in its metadata    adaptive_flow_t, of which it sets key and tcp_flags
//   in its ingress     MeasureFlow, before AdaptiveIngress
//   in its egress      AwaitAnswerToFlow, after AdaptiveEgress
//
// mixed() makes a key of what packets of a flow have in common, word by word. Without flags, round trips are
// not measured.
#ifndef ADAPTIVE_FLOWS_P4
#define ADAPTIVE_FLOWS_P4

#include "../adaptive/adaptive.p4"

struct adaptive_flow_t {
    bit<32> key;        // 0: of no flow
    bit<8>  tcp_flags;  // 0: not seen
    bit<32> hash;       // MeasureFlow sets it for AwaitAnswerToFlow
}

// What flow_time.p4 takes of the headers and metadata of this project's programs.
header flow_ipv4_t { bit<32> source; bit<32> destination; bit<8> protocol; }
header flow_ipv6_t { bit<128> source; bit<128> destination; bit<20> flow_label; bit<4> pad; bit<8> next_header; }
struct flow_headers_t { flow_ipv4_t ipv4; flow_ipv6_t ipv6; }
struct flow_metadata_t { bit<32> transport_ports; bit<8> tcp_flags; bit<32> flow; adaptive_metadata_t adaptive; }

#define HEADERS_P4
#define TYPES_P4
#define headers_t flow_headers_t
#define metadata_t flow_metadata_t
#define ipv6_address_t bit<128>
#include "flow_time.p4"
#undef headers_t
#undef metadata_t
#undef ipv6_address_t

control MeasureFlow(inout adaptive_flow_t flow, in standard_metadata_t standard_metadata) {
    MeasureFlows() measure_flows;

    apply {
        if (flow.key != 0 && standard_metadata.egress_spec < CPU_PORT && standard_metadata.mcast_grp == 0) {
            flow_headers_t hdr = { { flow.key, 0, 0 }, { 0, 0, 0, 0, 0 } };
            flow_metadata_t meta = { 0, flow.tcp_flags, 0, { 0, false, 0 } };
            measure_flows.apply(hdr, meta, standard_metadata);
            flow.hash = meta.flow;
        }
    }
}

control AwaitAnswerToFlow(in adaptive_flow_t flow, in adaptive_metadata_t adaptive,
                          in standard_metadata_t standard_metadata) {
    AwaitAnswer() await_answer;

    apply {
        flow_metadata_t meta = { 0, flow.tcp_flags, flow.hash, adaptive };
        await_answer.apply(meta, standard_metadata);
    }
}

#endif

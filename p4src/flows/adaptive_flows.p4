// Lets any v1model program measure its flows; flow_time.p4 counts them. The program defines MEASURE_FLOWS,
// includes adaptive.p4 and then this file, and needs:
//
//   in its metadata    adaptive_flow_t
//   in its ingress     MeasureFlow, before AdaptiveIngress
//   in its egress      AwaitAnswerToFlow, after AdaptiveEgress
//
// mixed() (flow_hash.p4) hashes what the packets of a flow have in common, word by word.
#ifndef ADAPTIVE_FLOWS_P4
#define ADAPTIVE_FLOWS_P4

#include "../adaptive/adaptive.p4"
#include "flow_hash.p4"
#include "flow_time.p4"

struct adaptive_flow_t {
    bit<32> hash;       // 0: of no flow
    bit<8>  tcp_flags;  // 0: not seen; then round trips are not measured
}

control MeasureFlow(in adaptive_flow_t flow, in standard_metadata_t standard_metadata) {
    TimeFlow() time_flow;

    apply {
        if (flow.hash != 0 && standard_metadata.egress_spec < CPU_PORT && standard_metadata.mcast_grp == 0) {
            time_flow.apply(flow.hash, flow.tcp_flags, standard_metadata);
        }
    }
}

control AwaitAnswerToFlow(in adaptive_flow_t flow, in adaptive_metadata_t adaptive,
                          in standard_metadata_t standard_metadata) {
    AwaitAnswer() await_answer;

    apply {
        await_answer.apply(flow.hash, flow.tcp_flags, adaptive, standard_metadata);
    }
}

#endif

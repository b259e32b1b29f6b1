// Empty controls, for programs that measure no flows.
#ifndef FLOWS_P4
#define FLOWS_P4

#include "../headers.p4"

control MeasureFlows(in headers_t hdr,
                     inout metadata_t meta,
                     in standard_metadata_t standard_metadata) {
    apply { }
}

control AwaitAnswer(in bit<32> flow, in bit<8> tcp_flags, in adaptive_metadata_t adaptive,
                    in standard_metadata_t standard_metadata) {
    apply { }
}

#endif

// What the pipeline does about flows where nobody measures them: nothing.
#ifndef FLOW_TIME_P4
#define FLOW_TIME_P4

#include "../headers.p4"

control MeasureFlows(in headers_t hdr,
                     inout metadata_t meta,
                     in standard_metadata_t standard_metadata) {
    apply { }
}

control AwaitAnswer(in metadata_t meta, in standard_metadata_t standard_metadata) {
    apply { }
}

#endif

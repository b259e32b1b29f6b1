// The router without the queue, to compare: what it takes of a chip by itself.
#include "chip.p4"
#include "parser.p4"
#include "forwarding.p4"
#include "rewriting.p4"

@pa_auto_init_metadata
control RouterIngress(inout headers_t hdr,
                      inout metadata_t meta,
                      in ingress_intrinsic_metadata_t intrinsic,
                      in ingress_intrinsic_metadata_from_parser_t from_parser,
                      inout ingress_intrinsic_metadata_for_deparser_t for_deparser,
                      inout ingress_intrinsic_metadata_for_tm_t for_tm) {
    Forwarding() forwarding;
    Rewriting() rewriting;

    apply {
        standard_metadata_t standard_metadata;
        standard_metadata.ingress_port = intrinsic.ingress_port;
        standard_metadata.parser_error = error.NoError;
        standard_metadata.checksum_error = (bit<1>)meta.checksum_error;
        standard_metadata.egress_spec = 0;
        for_tm.bypass_egress = 1;
        forwarding.apply(hdr, meta, standard_metadata);
        if (meta.forwarded) {
            for_tm.ucast_egress_port = standard_metadata.egress_spec;
        } else {
            for_deparser.drop_ctl = 1;
        }
        rewriting.apply(hdr, meta, intrinsic.ingress_port);
    }
}

Pipeline(RouterParser(), RouterIngress(), RouterDeparser(),
         AbsEgressParser(), AbsEgress(), AbsEgressDeparser()) pipe;

Switch(pipe) main;

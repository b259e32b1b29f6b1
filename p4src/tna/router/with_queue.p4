// The router with the queue: ../ingress.p4 as it is, whose forwarding is the router's.
#include "chip.p4"
#include "parser.p4"
#include "forwarding.p4"
#include "rewriting.p4"
#include "trap.p4"
#include "../ingress.p4"

@pa_auto_init_metadata
control RouterIngress(inout headers_t hdr,
                      inout metadata_t meta,
                      in ingress_intrinsic_metadata_t intrinsic,
                      in ingress_intrinsic_metadata_from_parser_t from_parser,
                      inout ingress_intrinsic_metadata_for_deparser_t for_deparser,
                      inout ingress_intrinsic_metadata_for_tm_t for_tm) {
    AbsIngress() queue;
    Rewriting() rewriting;

    apply {
        queue.apply(hdr, meta, intrinsic, from_parser, for_deparser, for_tm);
        rewriting.apply(hdr, meta, intrinsic.ingress_port);
    }
}

Pipeline(RouterParser(), RouterIngress(), RouterDeparser(),
         AbsEgressParser(), AbsEgress(), AbsEgressDeparser()) pipe;

Switch(pipe) main;

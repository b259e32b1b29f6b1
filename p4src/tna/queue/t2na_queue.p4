// ABS on Tofino 2, occupancy from the traffic manager's own queues: the ghost thread notes how long
// they are, and ../ingress.p4, as it is, drops in front of them.
#include <core.p4>
#include <t2na.p4>
#include "../../types.p4"
#include "../features.p4"

// As in ../t2na.p4.
#ifndef CONTROLLER_PORT_NUMBER
#define CONTROLLER_PORT_NUMBER 0
#endif
const port_t CONTROLLER_PORT = CONTROLLER_PORT_NUMBER;
const port_t RECIRCULATION_PORT = CONTROLLER_PORT_NUMBER / 128 * 128 + 6;

#include "../parser.p4"
#include "ghost.p4"
#include "queue.p4"
#include "../ingress.p4"

// What ingress shares with the ghost thread has two copies, of which the ghost thread writes one while
// ingress reads the other; the compiler asks this parameter which.
@pa_auto_init_metadata
control QueueIngress(inout headers_t hdr,
                     inout metadata_t meta,
                     in ingress_intrinsic_metadata_t intrinsic,
                     in ingress_intrinsic_metadata_from_parser_t from_parser,
                     inout ingress_intrinsic_metadata_for_deparser_t for_deparser,
                     inout ingress_intrinsic_metadata_for_tm_t for_tm,
                     in ghost_intrinsic_metadata_t ghost) {
    AbsIngress() ingress;

    apply {
        ingress.apply(hdr, meta, intrinsic, from_parser, for_deparser, for_tm);
    }
}

Pipeline(AbsIngressParser(), QueueIngress(), AbsIngressDeparser(),
         AbsEgressParser(), AbsEgress(), AbsEgressDeparser(), Ghost()) pipe;

@pkginfo(name="p4abs.t2na.queue", version="3.0.0")
Switch(pipe) main;

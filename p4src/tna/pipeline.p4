// The pipeline of both Tofinos; the including file has chosen the architecture, the two ports of
// the mailbox and PROGRAM_NAME.
#include "parser.p4"
#include "ingress.p4"

Pipeline(AbsIngressParser(), AbsIngress(), AbsIngressDeparser(),
         AbsEgressParser(), AbsEgress(), AbsEgressDeparser()) pipe;

@pkginfo(name=PROGRAM_NAME, version="3.0.0")
Switch(pipe) main;

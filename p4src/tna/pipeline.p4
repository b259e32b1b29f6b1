// The pipeline of both Tofinos; the including file has chosen the architecture, the two ports of
// the mailbox and PROGRAM_NAME.
#include "parser.p4"
#include "ingress.p4"

@pkginfo(name=PROGRAM_NAME, version="2.1.0")
Pipeline(AbsIngressParser(), AbsIngress(), AbsIngressDeparser(),
         AbsEgressParser(), AbsEgress(), AbsEgressDeparser()) pipe;

Switch(pipe) main;

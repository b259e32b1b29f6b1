// The pipeline of both Tofinos; the including file has chosen the architecture, CONTROLLER_PORT and
// PROGRAM_NAME.
#include "parser.p4"
#include "ingress.p4"

@pkginfo(name=PROGRAM_NAME, version="1.0.0")
Pipeline(AbsIngressParser(), AbsIngress(), AbsIngressDeparser(),
         AbsEgressParser(), AbsEgress(), AbsEgressDeparser()) pipe;

Switch(pipe) main;

// In the place of ../trap.p4: what a router's CPU gets, its access lists say.
#ifndef TNA_TRAP_P4
#define TNA_TRAP_P4

#include "headers.p4"

control Trap(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

#endif

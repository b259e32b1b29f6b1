// What the programs for Tofino 2 offer beside limits and counts of queues. Compiled with -DWITHOUT_FLOWS, a
// program measures no flows: it has no registers and no mailbox fields of them.
#ifndef WITHOUT_FLOWS
#define MEASURE_FLOWS
#endif

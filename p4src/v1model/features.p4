// What all builds offer beside the limit and the counts of a queue. Compiled with -DWITHOUT_FLOWS, a program
// measures no flows: it has no registers and no mailbox fields of them.
#define MARK_PACKETS

#ifndef WITHOUT_FLOWS
#define MEASURE_FLOWS
#endif

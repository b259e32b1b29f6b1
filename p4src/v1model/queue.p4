// ABS on v1model, occupancy from the real queue: BMv2 and the embedded target.
#include <core.p4>
#include <v1model.p4>
#include "../memory/uncounted.p4"
#include "../departures/queue.p4"
#include "../memory/own.p4"
#define PROGRAM_NAME "p4abs.queue"
#include "pipeline.p4"

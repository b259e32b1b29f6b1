// ABS on v1model, occupancy from the real queue: BMv2 and the embedded target.
#include <core.p4>
#include <v1model.p4>
#include "features.p4"
#include "../adaptive/memory/own.p4"
#include "../adaptive/departures/queue.p4"
#define PROGRAM_NAME "p4abs.queue"
#include "pipeline.p4"

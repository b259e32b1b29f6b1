// ABS on v1model, occupancy from a virtual queue: the real one stands in the next hop.
#include <core.p4>
#include <v1model.p4>
#include "features.p4"
#include "../adaptive/memory/own.p4"
#include "../adaptive/departures/virtual_queue.p4"
#define PROGRAM_NAME "p4abs.virtual_queue"
#include "pipeline.p4"

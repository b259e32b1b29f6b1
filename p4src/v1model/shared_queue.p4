// ABS on v1model, occupancy from the real queue, memory that all queues share.
#include <core.p4>
#include <v1model.p4>
#include "features.p4"
#include "../adaptive/memory/shared.p4"
#include "../adaptive/departures/queue.p4"
#define PROGRAM_NAME "p4abs.shared_queue"
#include "pipeline.p4"

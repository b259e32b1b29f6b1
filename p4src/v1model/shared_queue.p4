// ABS on v1model, occupancy from real queues, eight a port, which share one memory.
#include <core.p4>
#include <v1model.p4>
#define SEVERAL_QUEUES
#include "features.p4"
#include "../adaptive/memory/shared.p4"
#include "../adaptive/departures/queue.p4"
#define PROGRAM_NAME "p4abs.shared_queue"
#include "pipeline.p4"

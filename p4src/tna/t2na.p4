// ABS on Tofino 2, occupancy from a virtual queue.
#include <core.p4>
#include <t2na.p4>
#include "../types.p4"
#include "features.p4"

// The CPU's PCIe port. A build may name another.
#ifndef CONTROLLER_PORT_NUMBER
#define CONTROLLER_PORT_NUMBER 0
#endif
const port_t CONTROLLER_PORT = CONTROLLER_PORT_NUMBER;

// Of the same pipe, which has the registers: one that only leads back into it.
const port_t RECIRCULATION_PORT = CONTROLLER_PORT_NUMBER / 128 * 128 + 6;

#define PROGRAM_NAME "p4abs.t2na.virtual_queue"
#include "pipeline.p4"

// ABS on Tofino 1, occupancy from a virtual queue.
#include <core.p4>
#include <tna.p4>
#include "../types.p4"

// The CPU's PCIe port: 192 on a chip of two pipes, 320 on one of four. A build may name it.
#ifndef CONTROLLER_PORT_NUMBER
#define CONTROLLER_PORT_NUMBER 192
#endif
const port_t CONTROLLER_PORT = CONTROLLER_PORT_NUMBER;

// Of the same pipe, which has the registers: its first port that only leads back into it.
const port_t RECIRCULATION_PORT = CONTROLLER_PORT_NUMBER / 128 * 128 + 68;

#define PROGRAM_NAME "p4abs.tna.virtual_queue"
#include "pipeline.p4"

// The chip that the compiler is asked for, and its CPU's PCIe port.
#include <core.p4>
#if __TARGET_TOFINO__ == 2
#include <t2na.p4>
#else
#include <tna.p4>
#endif
#include "../../types.p4"

const port_t CONTROLLER_PORT = 192;

// The chip that the compiler is asked for, and its ports of the mailbox, as in ../tna.p4 and
// ../t2na.p4.
#include <core.p4>
#if __TARGET_TOFINO__ == 2
#include <t2na.p4>
#include "../features.p4"
#define CONTROLLER_PORT_NUMBER    0
#define RECIRCULATION_PORT_NUMBER 6
#else
#include <tna.p4>
#define CONTROLLER_PORT_NUMBER    192
#define RECIRCULATION_PORT_NUMBER 196
#endif
#include "../../types.p4"

const port_t CONTROLLER_PORT = CONTROLLER_PORT_NUMBER;
const port_t RECIRCULATION_PORT = RECIRCULATION_PORT_NUMBER;

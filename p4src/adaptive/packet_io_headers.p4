// The headers of packets from and to a controller.
#ifndef ADAPTIVE_PACKET_IO_HEADERS_P4
#define ADAPTIVE_PACKET_IO_HEADERS_P4

#include "types.p4"

typedef bit<6>   packet_in_reason_t;  // one of the PACKET_IN_ numbers below

// Why a packet comes to the controller: a table or a group has sent it to the CPU port; it is a mailbox
// request on its way back; an entry of the trap table has redirected or copied it.
const packet_in_reason_t PACKET_IN_FORWARDED  = 0;
const packet_in_reason_t PACKET_IN_MAILBOX    = 1;
const packet_in_reason_t PACKET_IN_REDIRECTED = 2;
const packet_in_reason_t PACKET_IN_COPIED     = 3;

// Controller to switch: a frame, which leaves by the port as it is, or is treated like one from a link.
@controller_header("packet_out")
header packet_out_t {
    @id(1) port_t          egress_port;        // ignored where the next is 1
    @id(2) bit<1>          submit_to_ingress;
    @id(3) @padding bit<6> unused_pad;
}

#define PACKET_OUT_BYTES 2

// Switch to controller: a frame as it came.
@controller_header("packet_in")
header packet_in_t {
    @id(1) port_t             ingress_port;
    @id(2) port_t             target_egress_port;  // that the tables have found; DROP_PORT: none
    @id(3) packet_in_reason_t reason;
}

#endif

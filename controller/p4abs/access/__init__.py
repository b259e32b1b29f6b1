"""How the controller reads and writes a port's registers on a P4Runtime target.

`register_access` says what an exchange is, without gRPC. There are two register paths:

- `mailbox`: packs requests into packet-outs and unpacks the records of packet-ins. `conversation`
  matches answers with questions.
- `register_entry`: Reads and Writes of RegisterEntry. `register_cells` has their messages.

`discovery` finds out which of them a switch offers. `backlog_windows` tells both whether the
extremes of a backlog are those of an interval. Both use `connection`, the session of one client
with one switch (`election`, `tls`, `rpc_error`), and `program`, the compiled P4 program with its
ids and its `capabilities`.

A client that changes nothing needs no session: `reading` is its channel, and `register_reader`
reads registers over it. `tables` keeps tables beside the control loop: shared memory, queue
selection, the rate of packet-ins.
"""

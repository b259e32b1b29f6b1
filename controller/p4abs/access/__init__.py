"""How the controller reads and writes a port's registers on a P4Runtime target.

`register_access` says what an exchange is, without gRPC; `mailbox` (with `mailbox_record`, the form
of what it sends, and `conversation`, which matches answers with questions) and `register_entry` are
the two register paths that provide it, and `discovery` finds out which of them a switch offers.
`backlog_windows` tells both whether the extremes of a backlog are those of an interval. Both stand
on `connection`, the session of one client with one switch (`election`, `tls`, `rpc_error`), and on
`program`, the compiled P4 program with its ids and its `capabilities`. A client that changes
nothing needs no session: `reading` is its channel, and `register_reader` reads the registers of
ports over it. `tables` has entries that control keeps, of programs that have such tables.
"""

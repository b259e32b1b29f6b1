"""How the controller reads and writes a port's registers on a P4Runtime target.

`register_access` says what an exchange is, without gRPC; `mailbox` (with `mailbox_record`, the form
of what it sends) and `register_entry` are the two register paths that provide it, and `discovery`
finds out which of them a switch offers. Both stand on `connection`, the session of one client with
one switch (`tls`, `rpc_error`), and on `program`, the compiled P4 program with its ids. Who changes
nothing needs no session: `reading` is the channel of a client that only asks, and
`register_reader` asks it for the registers of ports.
"""

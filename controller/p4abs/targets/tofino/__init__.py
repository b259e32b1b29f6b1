"""The programs of p4src/tna: what they offer, whichever way a Tofino is reached.

`chip` knows the ports, `rates` which rates a queue drains at; `offer` is what queues can do for
ports. `program` and `mailbox` are those of P4Info: `records` are what the mailbox's packets hold,
`replies` the same as snapshots. `virtual_queue` is the program that has one, `queue_program` the
one whose queue is the traffic manager's. `clocks` make timestamps of what the chip tells of time.
`compiled` reads what the compiler has written.
"""

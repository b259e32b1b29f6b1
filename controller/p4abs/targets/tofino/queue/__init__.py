"""The program whose queue is the traffic manager's own (p4src/tna/queue), over P4Runtime.

`program` is that of P4Info, `entries` its table of ports' queues, `replies` what its mailbox's
records are as snapshots.
"""

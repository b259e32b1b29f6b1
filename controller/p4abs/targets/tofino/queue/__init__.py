"""The program whose queue is the traffic manager's own (p4src/tna/queue), over P4Runtime.

`program` is that of P4Info with its table of ports' queues, `offer` what it can do for ports.
"""

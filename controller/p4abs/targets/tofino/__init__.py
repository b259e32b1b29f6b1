"""The programs of p4src/tna: what they offer, whichever way a Tofino is reached.

`chip` knows the ports, `rates` which rates a queue drains at; `program` and `mailbox` are those of
P4Info, `compiled` reads what the compiler has written (`device_config`: in Stratum's form).
"""

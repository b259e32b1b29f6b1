"""The demonstration in a Mininet: real hosts' namespaces, the embedded switch or BMv2 between them.

`demo.py` beside this package is the command; `run` is the story from an empty machine to the
measurements and back. What all demonstrations share is `p4abs_demonstration`; here is

- `machine`: whether this machine can do it.
- `ledger`: every process goes into it, so that whatever happens all of them end.
- `topology`: the network, by Mininet.
- `bmv2`: BMv2 as the bottleneck.
- `figure`: the picture.
"""

"""Switches as processes of their own, for whatever runs against a switch from outside.

The packet tests, the benchmarks, the demonstration and the differential tester start their
switches here. From the ground up:

- `free_ports`: TCP ports nobody listens on; `listening`: whether a process listens on one.
- `process`: a started process: waited for, watched, ended by its id.
- `simple_switch`, `embedded`: the two switches, BMv2's and this project's: how each is started,
  and when it is ready.
- `executable_memory`: how a process is kept from machine code of its own.
- `network`: a namespace with one virtual link per port for a switch to stand in.

Nothing here knows what is tested; nothing of `p4abs_switch` is imported but its errors.
"""

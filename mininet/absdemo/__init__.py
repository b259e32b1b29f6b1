"""The demonstration: ABS sizes a real bottleneck's buffer while TCP runs through it.

`demo.py` beside this package is the command; `run` is the story from an empty machine to the
measurements and back. What it tells with, from the ground up:

- `settings`: what is asked for; `machine`: whether this machine can do it.
- `processes/`: every process goes into a ledger, so that whatever happens all of them end.
- `dumbbell/`: the network in Mininet.
- `targets/`: the switch between, on the embedded target or on BMv2, with its program and entries.
- `traffic`: TCP flows by iperf3; `control`: `p4abs control`, as a user would run it.
- `measure/`: the controller's samples, the phases of the schedule, statistics of each, and whether
  the machine let them be results; `links`: what the kernel has counted.
- `disturbance`: what is stopped, paused or cut on purpose, and goes on again.
- `report/`: progress, table, summary.json, timeseries.csv and the picture.
"""

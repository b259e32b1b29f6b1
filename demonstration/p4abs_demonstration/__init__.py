"""The demonstration: ABS sizes a real bottleneck's buffer while TCP runs through it.

`p4abs demo` shows it in network namespaces of its own, `make demo` in a Mininet, on BMv2 too. Both
have this in common, from the ground up:

- `settings`: what is asked for (`cli/demo_options.py`: how that is said on a command line).
- `dumbbell`: the network, as a demonstration sees it, whoever has built it.
- `targets/`: the embedded switch as the bottleneck; a program and entries for any target.
- `hosts`: how the hosts' namespaces are set; `traffic`: TCP flows, by one of the `generators`,
  iperf3 or `greedy`; `control`: `p4abs control`, as a user would run it.
- `measure/`: the controller's samples, the phases of the schedule, statistics of each, and whether
  the machine let them be results; `links`: what the kernel has counted.
- `disturbance`: what is stopped, paused or cut on purpose, and goes on again.
- `report/`: progress, table, summary.json and timeseries.csv.
- `stage`: the story from a built network to the measurements; `interruption`: how Ctrl-C ends it.

`namespaces/` and `run` are `p4abs demo`'s own: the network without Mininet.
"""

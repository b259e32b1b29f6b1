"""Adaptive buffer sizing (ABS) for P4 switches.

How the data walks, for every port and in every interval: the registers of the P4 program ->
`access`, one exchange with the switch -> a `Snapshot` of them -> `PortControl.observe`, which takes
the difference to the one before -> an `Interval` -> `step` of the port's policy -> the limit, which
the next exchange writes.

The floors from the ground up; a floor imports those below it only:

    errors, clock         one line for the user; time, which is passed in
    p4_constants          what the P4 program and this package must agree on, generated
    snapshot, interval    a port's registers at one instant; what it did between two of them
    units                 rates, durations and sizes as people write them
    policies              the sizing laws, pure state machines: `abs`, the papers' laws, the rules
    access                a switch's registers over P4Runtime, by mailbox or by RegisterEntry
    config                settings from file and flags, with a policy for each port
    control               a port's control, and the loop over all ports of one switch
    runtime               runtime files of the p4lang tutorials
    session               switches kept under control: connect, control, lose, connect again
    telemetry             the fleet and who follows it: the screen, files, metrics
    service               the service manager and the log
    cli                   the commands, and those that other packages register
"""

from importlib.metadata import version

__version__ = version("p4abs")

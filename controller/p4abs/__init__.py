"""Adaptive buffer sizing (ABS) for P4 switches.

How data flow, for every port and in every interval: the registers of the P4 program -> `access`,
one exchange with the switch -> a `Snapshot` of each -> `SwitchControl.decide`, which takes the
difference to the one before -> `Interval` -> `step` of the policies -> the limits, which the next
exchange writes.

The floors from the ground up, of which docs/contributing.md draws all; a floor imports those below
it only:

    errors, clock         one line for the user; time, which is passed in
    standard_streams      that one takes nothing any more, or for now
    p4_constants          what the P4 program and this package must agree on, generated
    columns               numbers of one port, or arrays over many, and the same code for both
    measurements          what is measured of a port, and what it did between two instants
    snapshots             ports' registers at one instant
    units                 rates, durations and sizes as people write them
    policies              the sizing laws, pure state machines: `abs`, the papers' laws, the rules
    access                a switch's registers over P4Runtime, by mailbox or by RegisterEntry
    agreements            what was promised of a port, judged window by window
    targets               kinds of switches behind one interface: BMv2, Stratum, BF Runtime
    config                settings from file and flags, with a policy for each port
    control               a port's control, and the loop over all ports of one switch
    runtime               runtime files of the p4lang tutorials
    sharing               memory that queues share in the data plane
    session               switches kept under control: connect, control, lose, connect again
    telemetry             the fleet and who follows it: the screen, files, metrics, the page
    inspection            `p4abs check`: whether a switch is as configured
    service               the service manager and the log
    cli                   the commands, and those that other packages register
"""

from importlib.metadata import version

__version__ = version("p4abs")

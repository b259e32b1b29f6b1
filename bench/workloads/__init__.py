"""The programs whose speed is measured, with their table entries and the traffic they forward.

- `workload`: what each of them is.
- `own`: this project's programs, and a router.
- `compiling`: makes programs of P4 source.
- `exercises`: those of two exercises of p4lang/tutorials.
"""

from p4abs_switch.testbed.entry import Entry, Lpm

from workloads.compiling import COMPILER, has_compiler
from workloads.exercises import EXERCISES, compile_exercises
from workloads.own import (
    ABS,
    FLEET,
    FLEET_OF_BMV2,
    PREFIXES,
    ROUTER,
    WITHOUT_FLOWS,
    compile_without_flows,
)
from workloads.workload import ROOT, STATION_MAC, Workload

WORKLOADS = {each.name: each for each in (ABS, ROUTER, *EXERCISES, FLEET, FLEET_OF_BMV2)}
"""Those that `provision` can fill, by name."""

__all__ = [
    "ABS",
    "COMPILER",
    "EXERCISES",
    "FLEET",
    "FLEET_OF_BMV2",
    "PREFIXES",
    "ROOT",
    "ROUTER",
    "STATION_MAC",
    "WITHOUT_FLOWS",
    "WORKLOADS",
    "Entry",
    "Lpm",
    "Workload",
    "compile_exercises",
    "compile_without_flows",
    "has_compiler",
]

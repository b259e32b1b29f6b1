"""What control intervals of a switch's ports measured and what was decided, in arrays."""

from dataclasses import dataclass

from p4abs.columns import Floats, Ints, Positions
from p4abs.control.memory.lending import MemoryUse
from p4abs.interval import Intervals
from p4abs.policies import Decisions


@dataclass(frozen=True, slots=True)
class Steps:
    """The intervals that have ended for some ports, by their positions, and what was decided.

    Positions ascend. `limit_bytes` were in force, `occupancy_bytes` are at the end. Capacities that
    are not known are NaN. `memory` tells who holds the memory that ports share; None: they do not.
    """

    ports: Positions
    intervals: Intervals
    limit_bytes: Ints
    decisions: Decisions
    occupancy_bytes: Ints
    measured_capacity_bps: Floats
    capacity_bps: Floats
    memory: MemoryUse | None = None

    def take(self, rows: Positions) -> "Steps":
        """Some of them."""
        return Steps(
            self.ports[rows],
            self.intervals.take(rows),
            self.limit_bytes[rows],
            self.decisions.take(rows),
            self.occupancy_bytes[rows],
            self.measured_capacity_bps[rows],
            self.capacity_bps[rows],
            self.memory,
        )

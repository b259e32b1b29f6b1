"""The control of all ports of a switch: from snapshots to intervals to limits. No clock, no switch.

What a port gets does not depend on which of the two ways it is controlled in.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from p4abs.control.by_turns import PortsByTurns
from p4abs.control.controlled_port import ControlledPort
from p4abs.control.memory_pool import MemoryPool
from p4abs.control.sizer import Sizing
from p4abs.control.steps import Steps
from p4abs.control.together import PortsTogether
from p4abs.policies import Policy
from p4abs.snapshot import Snapshot

FEW_PORTS = 12
"""So few are faster by turns: numpy takes as long for one number as for a hundred."""


class PortOfSwitch(Protocol):
    """A port of a switch under control."""

    @property
    def limit_bytes(self) -> int:
        """The limit that the port should have; 0: none."""

    @property
    def measured_capacity_bps(self) -> int | None:
        """The link's capacity as measured; None while it is not known."""

    def adopt(
        self, policy: Policy[Any] | None, limit_bytes: int, sizing: Sizing | None = None
    ) -> None:
        """Sizes by this policy from now on, which begins at `limit_bytes`; see `ControlledPort`.

        Snapshots, intervals and the measured capacity go on. The next exchange writes the limit.
        """


class SwitchControl(Protocol):
    """Holds the ports' sizing policies, their snapshots and the limits that they should have."""

    numbers: tuple[int, ...]

    def port(self, number: int) -> PortOfSwitch:
        """One of the ports."""

    def limits(self) -> dict[int, int]:
        """The limits in bytes that the ports should have, by port; 0: none."""

    def capacities(self) -> dict[int, int | None]:
        """The links' capacities in bit/s, measured or else declared, by port; None: not known."""

    def limits_to_write(self) -> dict[int, int]:
        """The limits by port, but for those that the switch is known to have already."""

    def forget(self) -> None:
        """Starts new series of snapshots, after a time without access to the switch."""

    def observe(self, taken: Mapping[int, Snapshot], pool: MemoryPool) -> Steps | None:
        """Takes the next snapshots, by port; the decisions are also the new limits."""

    def take_restarted(self) -> list[int]:
        """The ports whose data plane has started anew since the last call."""

    def take_notices(self) -> list[str]:
        """What people should know and have not been told yet, in one line each."""


def switch_control(ports: Sequence[ControlledPort]) -> SwitchControl:
    """The control of these ports."""
    return PortsByTurns(ports) if len(ports) <= FEW_PORTS else PortsTogether(ports)

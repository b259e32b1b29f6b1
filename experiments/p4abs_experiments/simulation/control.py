"""One link under control: the controller's own objects on a port in virtual time."""

from collections.abc import Mapping

from p4abs.control.port_control import PortControl

from p4abs_experiments.network import Link, Sizing
from p4abs_experiments.network.policies import policy_of
from p4abs_experiments.simulation.ns3 import Port
from p4abs_experiments.simulation.snapshots import snapshot_of

_LONGEST_INTERVAL_S = 1.0


class LinkControl:
    """Steps the link's policy on the port's snapshots and writes the limits back at once.

    The control loop of a switch writes a limit one interval later, see `PortControl`.

    `gains` are those of the last decision.
    """

    def __init__(self, link: Link, sizing: Sizing, port: Port) -> None:
        self.interval_s = sizing.interval_s
        self.gains: Mapping[str, float] = {}
        self._port = port
        self._sizing = sizing
        self._control = PortControl(
            0,
            link.told_capacity_bps,
            policy_of(sizing, link.told_capacity_bps),
            sizing.initial_limit_bytes,
            max(_LONGEST_INTERVAL_S, 2 * sizing.interval_s),
        )

    def step(self, now_s: float) -> None:
        """One control interval ends."""
        control = self._control
        port = self._port
        step = control.decide(snapshot_of(port), self._memory_left_bytes(now_s))
        if step is not None:
            self.gains = step.decision.gains
        limit_bytes = control.limit_to_write
        if limit_bytes is not None:
            self._port.set_limit_bytes(limit_bytes)

    def _memory_left_bytes(self, now_s: float) -> int | None:
        """M(n), ABS paper, section 3.2; negative when the bound has come down on the limit."""
        bounds = [size_bytes for from_s, size_bytes in self._sizing.memory if from_s <= now_s]
        return bounds[-1] - self._control.limit_bytes if bounds else None

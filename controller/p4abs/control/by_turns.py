"""The control of a few ports of a switch, one after the other."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np

from p4abs.control.memory_pool import MemoryPool
from p4abs.control.port_control import PortControl, Step
from p4abs.control.sizer import Sizer
from p4abs.control.steps import Steps
from p4abs.control.switch_control import ControlledPort, SwitchControl
from p4abs.interval import Intervals
from p4abs.policies import Decision, Decisions
from p4abs.policies.policy import number_of
from p4abs.snapshot import UNKNOWN_BYTES, Snapshot, signed_advance


class AdjustablePort(PortControl):
    """A port whose policy may be replaced while it runs."""

    @classmethod
    def of(cls, port: ControlledPort) -> Self:
        """The control of this port."""
        return cls(
            port.port,
            port.capacity_bps,
            port.policy,
            port.limit_bytes,
            port.longest_interval_s,
            port.sizing,
            port.measures_idle,
        )

    @property
    def occupancy_bytes(self) -> int:
        """What stood in the queue at the last snapshot."""
        last = self._series.last
        return 0 if last is None else signed_advance(last.departed_bytes, last.admitted_bytes)

    @property
    def held_bytes(self) -> int:
        """See `MemoryPool`."""
        last = self._series.last
        in_force_bytes = 0 if last is None else last.limit_bytes
        return max(self.limit_bytes, in_force_bytes, self.occupancy_bytes)

    def adopt(self, port: ControlledPort) -> None:
        """See `SwitchControl`."""
        self._sizer = Sizer(port.policy, port.limit_bytes, port.sizing)


class PortsByTurns(SwitchControl):
    """A `PortControl` for each port, see `SwitchControl`."""

    def __init__(self, ports: Sequence[ControlledPort]) -> None:
        super().__init__(ports)
        self._ports = {port.port: AdjustablePort.of(port) for port in ports}

    def port(self, number: int) -> AdjustablePort:
        """See `SwitchControl`."""
        return self._ports[number]

    def limits(self) -> dict[int, int]:
        """See `SwitchControl`."""
        return {number: port.limit_bytes for number, port in self._ports.items()}

    def capacities(self) -> dict[int, int | None]:
        """See `SwitchControl`."""
        return {number: port.capacity_bps for number, port in self._ports.items()}

    def adopt(self, ports: Sequence[ControlledPort]) -> None:
        """See `SwitchControl`."""
        for port in ports:
            self._ports[port.port].adopt(port)

    def limits_to_write(self) -> dict[int, int]:
        """See `SwitchControl`."""
        wanted = ((number, port.limit_to_write) for number, port in self._ports.items())
        return {number: limit_bytes for number, limit_bytes in wanted if limit_bytes is not None}

    def forget(self) -> None:
        """See `SwitchControl`."""
        for port in self._ports.values():
            port.forget()

    def observe(self, taken: Mapping[int, Snapshot], pool: MemoryPool) -> Steps | None:
        """See `SwitchControl`."""
        stepped = []
        held = {number: port.held_bytes for number, port in self._ports.items()}
        for position, (number, port) in enumerate(self._ports.items()):
            snapshot = taken.get(number)
            if snapshot is None:
                continue
            restarts = port.restarts
            step = port.observe(snapshot, pool.left_bytes(held))
            held[number] = max(held[number], port.limit_bytes)
            if step is not None:
                stepped.append((position, port, step))
            if port.restarts > restarts:
                self._restarted.append(number)
            self._lines += [f"port {number}: {line}" for line in port.take_notices()]
        return _steps(stepped) if stepped else None


def _steps(stepped: Sequence[tuple[int, AdjustablePort, Step]]) -> Steps:
    # Two arrays in the place of a dozen: each takes as long to make as a policy's part to step.
    ints = np.array([_ints(*each) for each in stepped], np.int64).T
    floats = np.array([_floats(port, step) for _, port, step in stepped], np.float64).T
    duration_s, idle_s, measured_bps, capacity_bps = floats
    ports, binding, decided_bytes, limit_bytes, occupancy_bytes = ints[:5]
    admitted, dropped, departed, least, greatest, marked = ints[5:]
    decisions = [step.decision for _, _, step in stepped]
    return Steps(
        ports,
        Intervals(duration_s, admitted, dropped, departed, idle_s, least, greatest, marked),
        limit_bytes,
        Decisions(decided_bytes, binding, _gains(decisions), partial(_unreachable, decisions)),
        occupancy_bytes,
        measured_bps,
        capacity_bps,
    )


def _ints(position: int, port: AdjustablePort, step: Step) -> tuple[int, ...]:
    interval, decision = step.interval, step.decision
    return (
        position,
        number_of(decision.binding),
        decision.limit_bytes,
        step.limit_bytes,
        port.occupancy_bytes,
        interval.admitted_bytes,
        interval.dropped_bytes,
        interval.departed_bytes,
        _known(interval.least_backlog_bytes),
        _known(interval.greatest_backlog_bytes),
        _marked(interval.marked_bytes),
    )


def _floats(port: AdjustablePort, step: Step) -> tuple[float | None, ...]:
    interval = step.interval
    # numpy takes None for NaN.
    return interval.duration_s, interval.idle_s, port.measured_capacity_bps, port.capacity_bps


def _known(bytes_: int | None) -> int:
    return UNKNOWN_BYTES if bytes_ is None else bytes_


def _marked(bytes_: int | None) -> int:
    # Of a counter that has been taken back alone, nothing is known.
    return UNKNOWN_BYTES if bytes_ is None else max(UNKNOWN_BYTES, signed_advance(0, bytes_))


def _gains(decisions: Sequence[Decision]) -> dict[str, Any]:
    names = dict.fromkeys(name for decision in decisions for name in decision.gains)
    return {name: np.array([each.gains.get(name, np.nan) for each in decisions]) for name in names}


def _unreachable(decisions: Sequence[Decision], row: int) -> str:
    return decisions[row].unreachable

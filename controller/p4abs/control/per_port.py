"""The control of a few ports of a switch, one after the other."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from p4abs.columns import Flags, Ints, Positions
from p4abs.control.memory.queues import Queues
from p4abs.control.port_control import PortControl, Step
from p4abs.control.sample import Steps
from p4abs.control.switch_control import ControlledPort, SwitchControl
from p4abs.measurements import NOTHING, Interval, Snapshot
from p4abs.policies import Decision, Decisions
from p4abs.policies.policy import number_of
from p4abs.queues import port_text


def control_of(port: ControlledPort) -> PortControl:
    """The control of one port."""
    return PortControl(
        port.port,
        port.capacity_bps,
        port.policy,
        port.limit_bytes,
        port.longest_interval_s,
        port.sizing,
        port.measures_idle,
        port.mtu_bytes,
        port.shares_link,
    )


class PerPortControl(SwitchControl):
    """A `PortControl` for each port, see `SwitchControl`."""

    def __init__(self, ports: Sequence[ControlledPort]) -> None:
        super().__init__(ports)
        self._ports = {port.port: control_of(port) for port in ports}

    def port(self, number: int) -> PortControl:
        return self._ports[number]

    def limit_in_force(self, number: int) -> int | None:
        return self._ports[number].limit_in_force

    def _own_limits(self) -> list[int]:
        return [port.limit_bytes for port in self._ports.values()]

    def capacities(self) -> dict[int, int | None]:
        return {number: port.capacity_bps for number, port in self._ports.items()}

    def _adopt(self, ports: Sequence[ControlledPort]) -> None:
        for port in ports:
            self._ports[port.port].adopt(port.policy, port.limit_bytes, port.sizing)

    def _replace(self, staying: Positions, come: Sequence[ControlledPort]) -> None:
        numbers = [self.numbers[position] for position in staying.tolist()]
        kept = {number: self._ports[number] for number in numbers}
        self._ports = kept | {port.port: control_of(port) for port in come}

    def _begin_at(self, limits: Mapping[int, int]) -> None:
        for number, limit_bytes in limits.items():
            self._ports[number].begin_at(limit_bytes)

    def _decided_to_write(self) -> dict[int, int]:
        return {
            number: limit_bytes
            for (number, port), limit_bytes in zip(self._ports.items(), self._limits(), strict=True)
            if port.last is None or port.last.limit_bytes != limit_bytes
        }

    def forget(self) -> None:
        for port in self._ports.values():
            port.forget()

    def _decide(
        self, taken: Mapping[int, Snapshot], room_bytes: Ints | None, waits: Flags | None
    ) -> tuple[Steps | None, Callable[[], Queues]]:
        before = [port.last for port in self._ports.values()]
        stepped = []
        for position, (number, port) in enumerate(self._ports.items()):
            if number in taken:
                left_bytes = None if room_bytes is None else int(room_bytes[position])
                is_waiting = waits is not None and bool(waits[position])
                step = self._step(port, taken[number], left_bytes, is_waiting)
                if step is not None:
                    stepped.append((position, port, step))
        return _steps(stepped) if stepped else None, lambda: self._queues(before, taken)

    def _queues(self, before: Sequence[Snapshot | None], taken: Mapping[int, Snapshot]) -> Queues:
        after = [port.last for port in self._ports.values()]
        answered = np.array([number in taken for number in self.numbers])
        return Queues.between(*_columns(before), *_columns(after), answered)

    def _step(
        self, port: PortControl, snapshot: Snapshot, left_bytes: int | None, waits: bool
    ) -> Step | None:
        restarts = port.restarts
        step = port.decide(snapshot, left_bytes, waits=waits)
        if port.restarts > restarts:
            self._restarted.append(port.port)
        self._lines += [f"{port_text(port.port)}: {line}" for line in port.take_notices()]
        return step


def _columns(snapshots: Sequence[Snapshot | None]) -> tuple[Snapshot, Flags]:
    """The snapshots in arrays, and which ports have one."""
    columns = Snapshot.batched([snapshot or NOTHING for snapshot in snapshots])
    return columns, np.array([snapshot is not None for snapshot in snapshots])


def _steps(stepped: Sequence[tuple[int, PortControl, Step]]) -> Steps:
    positions, ports, steps = zip(*stepped, strict=True)
    decisions = [step.decision for step in steps]
    # numpy converts None to NaN.
    capacities = [(port.measured_capacity_bps, port.capacity_bps) for port in ports]
    measured_bps, capacity_bps = np.array(capacities, np.float64).T
    numbers = [
        (number_of(step.decision.binding), step.decision.limit_bytes, step.limit_bytes)
        for step in steps
    ]
    binding, decided_bytes, limit_bytes = np.array(numbers, np.int64).T
    return Steps(
        np.array(positions, np.intp),
        Interval.batched([step.interval for step in steps]),
        limit_bytes,
        Decisions(decided_bytes, binding, _gains(decisions), partial(_unreachable, decisions)),
        np.array([port.occupancy_bytes for port in ports], np.int64),
        measured_bps,
        capacity_bps,
    )


def _gains(decisions: Sequence[Decision]) -> dict[str, Any]:
    names = dict.fromkeys(name for decision in decisions for name in decision.gains)
    return {name: np.array([each.gains.get(name, np.nan) for each in decisions]) for name in names}


def _unreachable(decisions: Sequence[Decision], row: int) -> str:
    return decisions[row].unreachable

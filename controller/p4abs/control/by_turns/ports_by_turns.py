"""The control of a few ports of a switch, one after the other."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from p4abs.control.by_turns.adjustable_port import AdjustablePort
from p4abs.control.memory_pool import MemoryPool
from p4abs.control.port_control import Step
from p4abs.control.priorities import NOTHING_HELD, Holdings, Turn
from p4abs.control.steps import Steps
from p4abs.control.switch_control import ControlledPort, SwitchControl
from p4abs.interval import Intervals
from p4abs.policies import Decision, Decisions
from p4abs.policies.policy import number_of
from p4abs.snapshot import UNKNOWN_BYTES, Snapshot


class PortsByTurns(SwitchControl):
    """A `PortControl` for each port, see `SwitchControl`."""

    def __init__(self, ports: Sequence[ControlledPort]) -> None:
        super().__init__(ports)
        self._ports = {port.port: AdjustablePort.of(port) for port in ports}
        self._everyone = np.arange(len(ports))

    def port(self, number: int) -> AdjustablePort:
        """See `SwitchControl`."""
        return self._ports[number]

    def limit_in_force(self, number: int) -> int | None:
        """See `SwitchControl`."""
        return self._ports[number].limit_in_force

    def _decided(self) -> dict[int, int]:
        return {number: port.limit_bytes for number, port in self._ports.items()}

    def capacities(self) -> dict[int, int | None]:
        """See `SwitchControl`."""
        return {number: port.capacity_bps for number, port in self._ports.items()}

    def _adopt(self, ports: Sequence[ControlledPort]) -> None:
        for port in ports:
            self._ports[port.port].adopt(port)

    def _begin_at(self, limits: Mapping[int, int]) -> None:
        for number, limit_bytes in limits.items():
            self._ports[number].begin_at(limit_bytes)

    def _decided_to_write(self) -> dict[int, int]:
        wanted = ((number, port.limit_to_write) for number, port in self._ports.items())
        return {number: limit_bytes for number, limit_bytes in wanted if limit_bytes is not None}

    def forget(self) -> None:
        """See `SwitchControl`."""
        for port in self._ports.values():
            port.forget()

    def observe(self, taken: Mapping[int, Snapshot], pool: MemoryPool) -> Steps | None:
        """See `SwitchControl`."""
        stepped = []
        ports = [*self._ports.values()]
        holdings = NOTHING_HELD if pool.size_bytes is None else self._holdings(taken)
        for turn in self._priorities.turns(self._everyone, pool, holdings):
            for position in turn.ports.tolist():
                port, snapshot = ports[position], taken.get(self.numbers[position])
                if snapshot is None:
                    continue
                step = self._step(port, position, snapshot, turn, holdings)
                if step is not None:
                    stepped.append((position, port, step))
        stepped.sort(key=lambda each: each[0])
        return _steps(stepped) if stepped else None

    def _holdings(self, taken: Mapping[int, Snapshot]) -> Holdings:
        ports = self._ports.items()
        return Holdings(
            np.array([port.limit_bytes for _, port in ports]),
            np.array([port.held_bytes for _, port in ports]),
            np.array([port.stuck_bytes(taken.get(number)) for number, port in ports]),
            np.array([number in taken for number in self.numbers]),
        )

    def _step(
        self,
        port: AdjustablePort,
        position: int,
        snapshot: Snapshot,
        turn: Turn,
        holdings: Holdings,
    ) -> Step | None:
        """Takes the port's snapshot in its turn."""
        before_bytes, restarts = port.limit_bytes, port.restarts
        left_bytes = turn.left_bytes(position, holdings.held_bytes)
        step = port.observe(snapshot, left_bytes)
        if left_bytes is not None:
            holdings.decide(position, port.limit_bytes)
            if step is not None and turn.claims:
                self._claim(port, position, before_bytes, left_bytes)
        if port.restarts > restarts:
            self._restarted.append(port.port)
        self._lines += [f"port {port.port}: {line}" for line in port.take_notices()]
        return step

    def _claim(
        self, port: AdjustablePort, position: int, before_bytes: int, left_bytes: int
    ) -> None:
        limit_bytes = port.limit_bytes
        is_bound = limit_bytes >= before_bytes + left_bytes
        wanted_bytes = port.wanted_bytes() if is_bound else limit_bytes
        self._priorities.claim(position, before_bytes, wanted_bytes, limit_bytes)


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
        _known(interval.marked_bytes),
    )


def _floats(port: AdjustablePort, step: Step) -> tuple[float | None, ...]:
    interval = step.interval
    # numpy takes None for NaN.
    return interval.duration_s, interval.idle_s, port.measured_capacity_bps, port.capacity_bps


def _known(bytes_: int | None) -> int:
    return UNKNOWN_BYTES if bytes_ is None else bytes_


def _gains(decisions: Sequence[Decision]) -> dict[str, Any]:
    names = dict.fromkeys(name for decision in decisions for name in decision.gains)
    return {name: np.array([each.gains.get(name, np.nan) for each in decisions]) for name in names}


def _unreachable(decisions: Sequence[Decision], row: int) -> str:
    return decisions[row].unreachable

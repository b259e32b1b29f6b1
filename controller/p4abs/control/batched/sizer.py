"""Runs the policies of a switch's ports, all policies of a class at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from p4abs.columns import ByPort, Flags, Floats, Ints, Positions, any_of
from p4abs.control.sizer import is_near
from p4abs.control.switch_control import ControlledPort
from p4abs.measurements import Interval
from p4abs.policies import Binding, Decisions, Law, Policy
from p4abs.policies.policy import number_of

_FIXED = number_of(Binding.FIXED)
_NO_GROUP = -1


@dataclass
class Group:
    """Ports whose policies are of one class, with their law and its state."""

    law: Law[Any]
    state: Any
    size: int


class SwitchSizer(ByPort):
    """Holds the policies' states and the limits that the ports should have, see `Sizer`."""

    _by_port = ("limit_bytes", "_sizings", "_is_measured", "_sized_for_bps", "_group", "_place")

    def __init__(self, ports: Sequence[ControlledPort]) -> None:
        self.limit_bytes = np.array([port.limit_bytes for port in ports], np.int64)
        self._sizings = [port.sizing for port in ports]
        self._is_measured = np.array([port.sizing is not None for port in ports], np.bool_)
        self._sized_for_bps = np.zeros(len(ports))
        self._groups: dict[type[Any], Group] = {}
        # The number of a port's group, in the order of `_groups`, and its place in that group.
        self._group = np.full(len(ports), _NO_GROUP)
        self._place = np.zeros(len(ports), np.intp)
        self._join(range(len(ports)), [port.policy for port in ports])

    def keep(self, ports: Positions) -> None:
        self._leave(np.delete(np.arange(len(self.limit_bytes)), ports))
        super().keep(ports)

    def join(self, others: "SwitchSizer") -> None:
        begin = len(self.limit_bytes)
        super().join(others)
        for number, (kind, group) in enumerate(others._groups.items()):
            own = begin + np.flatnonzero(others._group == number)
            at = self._take_in(kind, group)
            self._group[own] = [*self._groups].index(kind)
            self._place[own] += at

    def step(
        self,
        ports: Positions,
        intervals: Interval,
        measured_bps: Floats,
        room_bytes: Ints | None = None,
        waits: Flags | None = None,
    ) -> Decisions:
        """The decisions after an interval of each of these ports; they are the new limits.

        Policies are made for the measured capacities; NaN: not known. `room_bytes` of all ports is
        the policies' `memory_left_bytes`, see `Policy`. Policies of ports that wait are not
        stepped.
        """
        self._learn(ports, measured_bps)
        left = None if room_bytes is None else room_bytes[ports]
        group = self._group[ports]
        if waits is not None and any_of(waits[ports]):
            group = np.where(waits[ports], _NO_GROUP, group)
        decisions = self._stepped(ports, group, intervals, left)
        self.limit_bytes = self.limit_bytes.copy()
        self.limit_bytes[ports] = decisions.limit_bytes
        return decisions

    def adopt(self, positions: Sequence[int], ports: Sequence[ControlledPort]) -> None:
        """Other policies take over ports, which begin at their limits."""
        self._leave(np.array(positions, np.intp))
        self.limit_bytes = self.limit_bytes.copy()
        for position, port in zip(positions, ports, strict=True):
            self.limit_bytes[position] = port.limit_bytes
            self._sizings[position] = port.sizing
            self._is_measured[position] = port.sizing is not None
            self._sized_for_bps[position] = 0.0
        self._join(positions, [port.policy for port in ports])

    def begin_at(self, ports: Positions, limit_bytes: Ints) -> None:
        """Ports begin anew at these limits, with the policies that they have."""
        self.limit_bytes = self.limit_bytes.copy()
        self.limit_bytes[ports] = limit_bytes
        for number, group in enumerate(self._groups.values()):
            own = ports[self._group[ports] == number]
            places = self._place[own]
            begun = group.law.take(places).start(self.limit_bytes[own])
            group.state = group.state.put(places, begun)

    def _learn(self, ports: Positions, measured_bps: Floats) -> None:
        changed = ~is_near(self._sized_for_bps[ports], measured_bps) & (measured_bps > 0)
        for row in np.flatnonzero(changed & self._is_measured[ports]):
            port, capacity_bps = int(ports[row]), round(measured_bps[row])
            sizing = self._sizings[port]
            assert sizing is not None
            self._sized_for_bps[port] = capacity_bps
            policy = sizing.make_policy(capacity_bps)
            if self._group[port] >= 0:
                self._replace(port, policy)
                continue
            first_bytes = sizing.first_limit(int(self.limit_bytes[port]), capacity_bps)
            self._join_group([port], [policy], np.array([first_bytes]))

    def _join(self, ports: Sequence[int], policies: Sequence[Policy[Any] | None]) -> None:
        """Ports that are in no group join one, and begin at their limits."""
        by_class: dict[type[Any], list[tuple[int, Policy[Any]]]] = {}
        for port, policy in zip(ports, policies, strict=True):
            if policy is not None:
                by_class.setdefault(type(policy), []).append((port, policy))
        for members in by_class.values():
            joining, theirs = zip(*members, strict=True)
            self._join_group(joining, theirs, self.limit_bytes[[*joining]])

    def _join_group(
        self, ports: Sequence[int], policies: Sequence[Policy[Any]], limit_bytes: Ints
    ) -> None:
        """Ports with policies of one class join its group, and begin at these limits."""
        law, kind = policies[0].batched(policies), type(policies[0])
        begin = self._take_in(kind, Group(law, law.start(limit_bytes), len(ports)))
        self._group[[*ports]] = [*self._groups].index(kind)
        self._place[[*ports]] = begin + np.arange(len(ports))

    def _take_in(self, kind: type[Any], others: Group) -> int:
        """Adds policies of a class; returns the place of the first."""
        group = self._groups.get(kind)
        if group is None:
            self._groups[kind] = others
            return 0
        begin = group.size
        group.law, group.state = group.law.joined(others.law), group.state.joined(others.state)
        group.size += others.size
        return begin

    def _leave(self, ports: Positions) -> None:
        for number, group in enumerate(self._groups.values()):
            leaving = ports[self._group[ports] == number]
            if not len(leaving):
                continue
            places = np.delete(np.arange(group.size), self._place[leaving])
            group.law, group.state = group.law.take(places), group.state.take(places)
            group.size = len(places)
            self._group[leaving] = _NO_GROUP
            staying = self._group == number
            self._place[staying] = np.searchsorted(places, self._place[staying])

    def _replace(self, port: int, policy: Policy[Any]) -> None:
        """A new policy of the same class takes over the state of the old one."""
        group = self._groups[type(policy)]
        place = self._place[port : port + 1]
        group.law = group.law.put(place, policy.batched([policy]))

    def _stepped(
        self, ports: Positions, groups: Ints, intervals: Interval, left_bytes: Ints | None
    ) -> Decisions:
        """Steps the policies of these ports, which are of these groups."""
        parts = []
        for number, group in enumerate(self._groups.values()):
            rows = np.flatnonzero(groups == number)
            if len(rows):
                left = None if left_bytes is None else left_bytes[rows]
                places = self._place[ports[rows]]
                group.state, decisions = _step_some(group, places, intervals.take(rows), left)
                parts.append((rows, decisions))
        still = np.flatnonzero(groups == _NO_GROUP)
        if len(still):
            parts.append((still, _fixed(self.limit_bytes[ports[still]])))
        return parts[0][1] if len(parts) == 1 else merged(len(ports), parts)


def _step_some(
    group: Group, places: Positions, intervals: Interval, left_bytes: Ints | None
) -> tuple[Any, Decisions]:
    """A step of the ports at these places of a group."""
    if np.array_equal(places, np.arange(group.size)):
        return group.law.step(group.state, intervals, left_bytes)
    law, state = group.law.take(places), group.state.take(places)
    after, decisions = law.step(state, intervals, left_bytes)
    return group.state.put(places, after), decisions


def _fixed(limit_bytes: Ints) -> Decisions:
    """The limits stay."""
    return Decisions(limit_bytes, np.full(len(limit_bytes), _FIXED), {})


def merged(count: int, parts: Sequence[tuple[Positions, Decisions]]) -> Decisions:
    """The decisions of all rows, from those of disjoint parts of them."""
    limit_bytes, binding = np.zeros(count, np.int64), np.zeros(count, np.int64)
    names = dict.fromkeys(name for _, decisions in parts for name in decisions.gains)
    gains = {name: np.full(count, np.nan) for name in names}
    part, place = np.zeros(count, np.intp), np.zeros(count, np.intp)
    for number, (rows, decisions) in enumerate(parts):
        limit_bytes[rows], binding[rows] = decisions.limit_bytes, decisions.binding
        part[rows], place[rows] = number, np.arange(len(rows))
        for name, gain in decisions.gains.items():
            gains[name][rows] = gain

    def unreachable(row: int) -> str:
        words: str = parts[part[row]][1].unreachable(int(place[row]))
        return words

    return Decisions(limit_bytes, binding, gains, unreachable)

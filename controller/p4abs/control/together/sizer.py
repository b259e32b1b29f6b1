"""The policies of a switch's ports at work, those of a class together."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from p4abs.columns import Floats, Ints, Positions
from p4abs.control.memory_pool import MemoryPool
from p4abs.control.sizer import is_near
from p4abs.control.switch_control import ControlledPort
from p4abs.interval import Intervals
from p4abs.policies import Binding, Decisions, Law, Policy
from p4abs.policies.policy import number_of

_FIXED = number_of(Binding.FIXED)


@dataclass
class Group:
    """Ports whose policies are of one class, with their law and its state."""

    law: Law[Any]
    state: Any
    size: int


class SwitchSizer:
    """Holds the policies' states and the limits that the ports should have, see `Sizer`."""

    def __init__(self, ports: Sequence[ControlledPort]) -> None:
        self.limit_bytes = np.array([port.limit_bytes for port in ports], np.int64)
        self._sizings = [port.sizing for port in ports]
        self._is_measured = np.array([port.sizing is not None for port in ports])
        self._sized_for_bps = np.zeros(len(ports))
        self._groups: dict[type[Any], Group] = {}
        # The number of a port's group, in the order of `_groups`, and its place in that group.
        self._group = np.full(len(ports), -1)
        self._place = np.zeros(len(ports), np.intp)
        self._join(range(len(ports)), [port.policy for port in ports])

    def step(
        self,
        ports: Positions,
        intervals: Intervals,
        measured_bps: Floats,
        pool: MemoryPool,
        held_bytes: Ints,
    ) -> Decisions:
        """The decisions after an interval of each of these ports; they are the new limits.

        Policies are made for the measured capacities; NaN is none. `held_bytes` is what all ports
        hold of the memory.
        """
        parts = []
        for turn in self._turns(ports, measured_bps, pool):
            rows = np.arange(len(ports))[turn]
            self._learn(ports[rows], measured_bps[rows], pool, held_bytes)
            decisions = self._decide(ports[rows], intervals.take(rows), pool, held_bytes)
            held_bytes = np.maximum(held_bytes, self.limit_bytes)
            parts.append((rows, decisions))
        return parts[0][1] if len(parts) == 1 else merged(len(ports), parts)

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

    def _turns(self, ports: Positions, measured_bps: Floats, pool: MemoryPool) -> list[slice]:
        """Who is stepped together: a first limit takes of a memory what is left in its turn."""
        if pool.size_bytes is None:
            return [slice(None)]
        begins = (self._group[ports] < 0) & self._is_measured[ports] & (measured_bps > 0)
        cuts = [0, *np.flatnonzero(begins).tolist(), len(ports)]
        return [slice(*pair) for pair in pairwise(cuts) if pair[0] < pair[1]]

    def _learn(
        self, ports: Positions, measured_bps: Floats, pool: MemoryPool, held_bytes: Ints
    ) -> None:
        changed = ~is_near(self._sized_for_bps[ports], measured_bps) & (measured_bps > 0)
        for row in np.flatnonzero(changed & self._is_measured[ports]):
            port, capacity_bps = int(ports[row]), round(measured_bps[row])
            sizing, limit_bytes = self._sizings[port], int(self.limit_bytes[port])
            assert sizing is not None
            self._sized_for_bps[port] = capacity_bps
            policy = sizing.make_policy(capacity_bps)
            if self._group[port] >= 0:
                self._replace(port, policy)
                continue
            first_bytes = sizing.first_limit(limit_bytes, capacity_bps)
            if pool.size_bytes is not None:
                left_bytes = max(0, pool.size_bytes - int(held_bytes.sum()))
                first_bytes = min(first_bytes, limit_bytes + left_bytes)
            self._join_group([port], [policy], np.array([first_bytes]))

    def _join(self, ports: Sequence[int], policies: Sequence[Policy[Any] | None]) -> None:
        """Ports that are in no group begin at their limits."""
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
        """Policies of one class."""
        law, kind = policies[0].together(policies), type(policies[0])
        state = law.start(limit_bytes)
        group = self._groups.get(kind)
        if group is None:
            self._groups[kind] = group = Group(law, state, 0)
        else:
            group.law, group.state = group.law.joined(law), group.state.joined(state)
        self._group[[*ports]] = [*self._groups].index(kind)
        self._place[[*ports]] = group.size + np.arange(len(ports))
        group.size += len(ports)

    def _leave(self, ports: Positions) -> None:
        for number, group in enumerate(self._groups.values()):
            leaving = ports[self._group[ports] == number]
            if not len(leaving):
                continue
            places = np.delete(np.arange(group.size), self._place[leaving])
            group.law, group.state = group.law.take(places), group.state.take(places)
            group.size = len(places)
            self._group[leaving] = -1
            staying = self._group == number
            self._place[staying] = np.searchsorted(places, self._place[staying])

    def _replace(self, port: int, policy: Policy[Any]) -> None:
        """Another policy of the same class takes over the state of the one before."""
        group = self._groups[type(policy)]
        place = self._place[port : port + 1]
        group.law = group.law.put(place, policy.together([policy]))

    def _decide(
        self, ports: Positions, intervals: Intervals, pool: MemoryPool, held_bytes: Ints
    ) -> Decisions:
        """Steps the ports, each with what those before it have left of the memory.

        What is left depends on limits that are not known before it is. So all are stepped with
        what a first guess leaves, and again with what these limits leave, until it stays the same:
        each time one port more is right at least, and mostly all of them are at once.
        """
        own_bytes = held_bytes[ports]
        others_bytes = int(held_bytes.sum() - own_bytes.sum())
        left = pool.left_in_turn(own_bytes, own_bytes, others_bytes)
        while True:
            states, decisions = self._stepped(ports, intervals, left)
            left_now = pool.left_in_turn(own_bytes, decisions.limit_bytes, others_bytes)
            if left is None or left_now is None or np.array_equal(left, left_now):
                break
            left = left_now
        for group, state in zip(self._groups.values(), states, strict=True):
            group.state = state
        self.limit_bytes = self.limit_bytes.copy()
        self.limit_bytes[ports] = decisions.limit_bytes
        return decisions

    def _stepped(
        self, ports: Positions, intervals: Intervals, left_bytes: Ints | None
    ) -> tuple[list[Any], Decisions]:
        """The groups' states after a step of some of their ports, and what was decided."""
        states, parts = [], []
        for number, group in enumerate(self._groups.values()):
            rows = np.flatnonzero(self._group[ports] == number)
            if not len(rows):
                states.append(group.state)
                continue
            left = None if left_bytes is None else left_bytes[rows]
            state, decisions = _step_some(
                group, self._place[ports[rows]], intervals.take(rows), left
            )
            states.append(state)
            parts.append((rows, decisions))
        idle = np.flatnonzero(self._group[ports] < 0)
        if len(idle):
            parts.append((idle, _fixed(self.limit_bytes[ports[idle]])))
        return states, parts[0][1] if len(parts) == 1 else merged(len(ports), parts)


def _step_some(
    group: Group, places: Positions, intervals: Intervals, left_bytes: Ints | None
) -> tuple[Any, Decisions]:
    """A step of the ports at these places of a group."""
    if np.array_equal(places, np.arange(group.size)):
        return group.law.step(group.state, intervals, left_bytes)
    law, state = group.law.take(places), group.state.take(places)
    after, decisions = law.step(state, intervals, left_bytes)
    return group.state.put(places, after), decisions


def _fixed(limit_bytes: Ints) -> Decisions:
    """The limits stay, for want of a policy."""
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

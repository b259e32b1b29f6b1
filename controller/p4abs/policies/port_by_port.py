"""Policies whose code is that of a port alone, stepped together port by port."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from p4abs.columns import Columns, Ints
from p4abs.measurements import Interval
from p4abs.policies.policy import Decision, Decisions, Policy, number_of

S = TypeVar("S")
Objects = NDArray[np.object_]


class AlonePolicy(ABC, Generic[S]):
    """Base of these policies, see `Policy`."""

    __slots__ = ()
    name: ClassVar[str]

    @abstractmethod
    def start(self, limit_bytes: int) -> S:
        """See `Policy`."""

    @abstractmethod
    def step(
        self, state: S, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[S, Decision]:
        """See `Policy`."""

    @classmethod
    def batched(cls, ports: Sequence[Self]) -> "PortByPort":
        return port_by_port(ports)


def port_by_port(ports: Sequence[Policy[Any]]) -> "PortByPort":
    """The law of any policies."""
    return PortByPort(_objects(ports))


@dataclass(frozen=True, slots=True, eq=False)
class States(Columns):
    """A state for each port."""

    of: Objects


@dataclass(frozen=True, slots=True, eq=False)
class PortByPort(Columns):
    """A policy for each port."""

    policies: Objects

    def start(self, limit_bytes: Ints) -> States:
        pairs = zip(self.policies, limit_bytes.tolist(), strict=True)
        return States(_objects(policy.start(limit) for policy, limit in pairs))

    def step(
        self, state: States, intervals: Interval, memory_left_bytes: Ints | None = None
    ) -> tuple[States, Decisions]:
        none = [None] * len(self.policies)
        left = none if memory_left_bytes is None else memory_left_bytes.tolist()
        rows = zip(self.policies, state.of, intervals.each(), left, strict=True)
        steps = [policy.step(before, interval, own) for policy, before, interval, own in rows]
        return States(_objects(after for after, _ in steps)), _decisions([d for _, d in steps])


def _decisions(ports: Sequence[Decision]) -> Decisions:
    names = dict.fromkeys(name for decision in ports for name in decision.gains)
    return Decisions(
        np.array([decision.limit_bytes for decision in ports], np.int64),
        np.array([number_of(decision.binding) for decision in ports], np.int64),
        {name: np.array([each.gains.get(name, np.nan) for each in ports]) for name in names},
        partial(_unreachable, ports),
    )


def _unreachable(ports: Sequence[Decision], port: int) -> str:
    return ports[port].unreachable


def _objects(values: Iterable[Any]) -> Objects:
    return np.fromiter(values, np.object_)

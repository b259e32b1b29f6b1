"""The law `abs` with one of its constants changed, or one of its mechanisms left out."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ClassVar

import p4abs.policies.abs as package
from p4abs.measurements import Interval
from p4abs.policies import Decision
from p4abs.policies.abs import (
    Abs,
    AbsState,
    branch,
    errors,
    feed_forward,
    idling,
    standstill,
    start,
)
from p4abs.policies.port_by_port import AlonePolicy

_MODULES = [each for each in vars(package).values() if isinstance(each, ModuleType)]
"""All of the law."""

_NEARLY_NONE = 1e-9

FEED_FORWARD = "the number of flows"
START = "where a start begins"

MECHANISMS: Mapping[str, tuple[type, str, Any]] = {
    "steps of the limit, not of its logarithm": (
        branch.Unit,
        "elasticity",
        property(lambda unit: _NEARLY_NONE + 0.0 * unit.size),
    ),
    "idle time waits for a drop": (
        idling.Idling,
        "after",
        lambda idle, error_s, unit_s, *, dropped: (error_s, idling.Idling(0.0 * idle.waiting_s)),
    ),
    "a standstill is no idle time": (
        standstill.Standstill,
        "has_lasted",
        lambda stands, drain_time_s: stands.standing_s < 0,
    ),
    FEED_FORWARD: (
        feed_forward.FeedForward,
        "after",
        lambda knows, *measured, **binds: knows,
    ),
    START: (start.Start, "after", lambda knows, *measured: knows),
    "a new memory after two large events": (errors.Errors, "_begun_anew", lambda seen, size: seen),
}
"""What cannot be switched off by a constant: what is put in its place."""


def constant(name: str) -> float:
    """The value of a constant, such as "FOLLOW". Raises KeyError."""
    for module in _MODULES:
        if hasattr(module, name):
            return float(getattr(module, name))
    raise KeyError(name)


@dataclass(frozen=True)
class VariedLaw(AlonePolicy[AbsState]):
    """`variation`: values by the names of constants, and MECHANISMS that are left out."""

    name: ClassVar[str] = "abs"

    policy: Abs
    variation: tuple[tuple[str, float], ...]

    def start(self, limit_bytes: int) -> AbsState:
        with self._in_force():
            return self.policy.start(limit_bytes)

    def step(
        self, state: AbsState, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[AbsState, Decision]:
        with self._in_force():
            return self.policy.step(state, interval, memory_left_bytes)

    @contextmanager
    def _in_force(self) -> Iterator[None]:
        """Other ports of the process have the law as it is."""
        places = [place for name, value in self.variation for place in _places(name, value)]
        before = [vars(owner)[attribute] for owner, attribute, _ in places]
        for owner, attribute, value in places:
            setattr(owner, attribute, value)
        try:
            yield
        finally:
            for (owner, attribute, _), value in zip(places, before, strict=True):
                setattr(owner, attribute, value)


def _places(name: str, value: float) -> list[tuple[Any, str, Any]]:
    """Where something is to be set: the owner, the attribute, the value."""
    if name in MECHANISMS:
        return [MECHANISMS[name]]
    return [(module, name, value) for module in _MODULES if name in vars(module)]

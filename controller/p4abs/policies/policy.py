"""What every sizing policy takes and gives: targets, a decision per interval, typed errors."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Protocol, Self, TypeVar

from p4abs.columns import Columns, Floats, Ints, Positions
from p4abs.errors import UserError
from p4abs.measurements import Interval

S = TypeVar("S")
C = TypeVar("C", bound=Columns)


class PolicyError(UserError):
    """A policy cannot be made from what was asked for."""


class UnknownPolicy(PolicyError):
    """No policy has this name; the message lists the valid ones."""


class InvalidTarget(PolicyError):
    """A target lies outside its range or contradicts another one."""


class InvalidParameter(PolicyError):
    """A policy has no such parameter, or its value lies outside its range."""


class Binding(StrEnum):
    """The constraint that determined a limit."""

    UTILIZATION = "utilization"
    """The target `utilization`."""
    LOSS = "loss"
    """The target `loss`."""
    MAX_DELAY = "max_delay"
    """The bound `max-delay`."""
    MIN_LIMIT = "min_limit"
    """The bound `min-limit`."""
    MAX_LIMIT = "max_limit"
    """The bound `max-limit`."""
    MEMORY = "memory"
    """The memory that the switch's ports share."""
    FIXED = "fixed"
    """No target or bound. Either the policy has no targets, such as `static` and `bdp`, or it waits
    for a measurement."""
    MAX_STEP = "max_step"
    """The bound `max-step`. Or the port is observed, and its decision has reached half or twice the
    limit in force: decisions for observed ports go no further."""


@dataclass(frozen=True, slots=True)
class MaxStep:
    """By how much one interval may change a limit: bytes, and a share of the limit, added up."""

    size_bytes: int = 0
    share: float = 0.0


UNBOUNDED_STEP = MaxStep(2**62)


@dataclass(frozen=True, slots=True)
class Targets:
    """What a port's queue limit has to achieve, and the bounds it must stay within.

    `utilization` and `loss` are fractions in (0, 1). `max_delay_s` caps the time a full
    queue takes to drain (None: no cap). `max_step` bounds what one interval changes. `floor` and
    `ceiling` are what binds at the lowest and at the highest limit. `shares_link`: it is one of
    several queues of a port. Raises InvalidTarget.
    """

    utilization: float
    loss: float
    max_delay_s: float | None
    min_limit_bytes: int
    max_limit_bytes: int
    max_step: MaxStep = UNBOUNDED_STEP
    floor: Binding = Binding.MIN_LIMIT
    ceiling: Binding = Binding.MAX_LIMIT
    shares_link: bool = False

    def __post_init__(self) -> None:
        for name, value in (("utilization", self.utilization), ("loss", self.loss)):
            if not 0 < value < 1:
                raise InvalidTarget(f"target {name}={value}: must be above 0 and below 1")
        if self.max_delay_s is not None and not self.max_delay_s > 0:
            raise InvalidTarget(f"target max_delay={self.max_delay_s} s: must be positive")
        if self.min_limit_bytes < 1:
            raise InvalidTarget(f"target min_limit={self.min_limit_bytes} bytes: must be positive")
        if self.max_limit_bytes < self.min_limit_bytes:
            raise InvalidTarget(
                f"target max_limit={self.max_limit_bytes} bytes: "
                f"must be at least min_limit={self.min_limit_bytes} bytes"
            )

    def highest_bytes(self, capacity_bps: float) -> int:
        """The highest limit: max_limit, or C max_delay where that is less (section 3.2, type B)."""
        if self.max_delay_s is None:
            return self.max_limit_bytes
        return min(self.max_limit_bytes, int(capacity_bps * self.max_delay_s / 8))


BINDINGS = tuple(Binding)
"""By the numbers that stand for them in arrays."""


def number_of(binding: Binding) -> int:
    """Of one of BINDINGS."""
    return _NUMBERS[binding]


_NUMBERS = {binding: number for number, binding in enumerate(BINDINGS)}


@dataclass(frozen=True, slots=True)
class Decision:
    """The queue limit for the next interval, what determined it, and the gains in use.

    `unreachable` says in words which target no buffer can meet and why; empty: none is known to be.
    """

    limit_bytes: int
    binding: Binding
    gains: Mapping[str, float]
    unreachable: str = ""


def nothing_unreachable(_port: int) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Decisions:
    """A `Decision` for each of several ports, with arrays of its fields; `binding` is a number.

    `unreachable` gives a port's words by its position. NaN is no gain.
    """

    limit_bytes: Ints
    binding: Ints
    gains: Mapping[str, Floats]
    unreachable: Callable[[int], str] = nothing_unreachable

    def take(self, rows: Positions) -> "Decisions":
        gains = {name: gain[rows] for name, gain in self.gains.items()}
        words = self.unreachable
        return Decisions(
            self.limit_bytes[rows], self.binding[rows], gains, lambda row: words(int(rows[row]))
        )

    def __iter__(self) -> Iterator[Decision]:
        limits, bindings = self.limit_bytes.tolist(), self.binding.tolist()
        columns = [(name, gain.tolist()) for name, gain in self.gains.items()]
        for port, (limit_bytes, binding) in enumerate(zip(limits, bindings, strict=True)):
            gains = {name: gain[port] for name, gain in columns if not math.isnan(gain[port])}
            yield Decision(limit_bytes, BINDINGS[binding], gains, self.unreachable(port))


class Law(Protocol[C]):
    """The policies of several ports, all of one class, that are stepped together."""

    def take(self, ports: Positions) -> Self:
        """The law of some of its ports."""
        ...

    def put(self, ports: Positions, others: Self) -> Self:
        """This law, with other policies for some of its ports."""
        ...

    def joined(self, others: Self) -> Self:
        """The law of these ports and then of others."""
        ...

    def start(self, limit_bytes: Ints) -> C: ...

    def step(
        self, state: C, intervals: Interval, memory_left_bytes: Ints | None = None
    ) -> tuple[C, Decisions]:
        """See `Policy`. What a port gets does not depend on the others."""
        ...


class Policy(Protocol[S]):
    """A sizing law as a pure state machine: no clock, no I/O, frozen parameters and state."""

    name: ClassVar[str]

    @classmethod
    def batched(cls, ports: Sequence[Any]) -> Law[Any]:
        """The law of ports with these policies, which are all of this class."""
        ...

    def start(self, limit_bytes: int) -> S:
        """The state of a port whose queue limit is `limit_bytes` now."""
        ...

    def step(
        self, state: S, interval: Interval, memory_left_bytes: int | None = None
    ) -> tuple[S, Decision]:
        """The state and the limit after `interval`.

        `memory_left_bytes` is M(n) of the ABS paper's section 3.2: by how much the limit may rise;
        negative: has to fall. None when memory is not shared.
        """
        ...

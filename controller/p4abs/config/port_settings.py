"""A port's settings, their defaults and what is valid."""

from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import (
    Field,
    PrivateAttr,
    ValidationInfo,
    field_validator,
    model_validator,
)

from p4abs.agreements import Terms
from p4abs.config.agreement_settings import AgreementSettings
from p4abs.config.queue_settings import QueueSettings
from p4abs.config.source import Place, kebab
from p4abs.config.values import (
    Alpha,
    Boolean,
    Duration,
    Fraction,
    Mtu,
    Number,
    PanelName,
    Priority,
    Rate,
    Size,
    Step,
    Table,
    Values,
    Whole,
)
from p4abs.p4_constants import PORT_COUNT
from p4abs.policies import (
    POLICIES,
    UNBOUNDED_STEP,
    Binding,
    Policy,
    PolicyError,
    Targets,
    create,
    why_unknown,
)
from p4abs.policies.static import Static
from p4abs.queues import QueueAddress
from p4abs.units import (
    RATE,
    format_duration,
    format_rate,
    format_size,
)

DEFAULT_MTU_BYTES = 1514
FRAMES_OF_MIN_LIMIT = 2
DEFAULT_MAX_DRAIN_TIME_S = 1.0
# While no capacity is known, bounds that follow from it are not checked.
_FASTEST_BPS = round(RATE.largest)

# Keys of a port that its policy does not depend on while it runs.
_SIZES_NOTHING = {
    *("name", "initial_limit", "safe_limit", "ecn_marking", "priority", "alpha", "agreement"),
    "queue",
}
# Measurements at the limit in force say something about limits between half and twice of it.
_OBSERVED_REACH = 2


class UtilizationFrom(StrEnum):
    """What a port's utilization is taken from."""

    IDLE = "idle"
    DEPARTURES = "departures"


class PortMode(StrEnum):
    """Whether decided limits are written."""

    CONTROL = "control"
    OBSERVE = "observe"


class PortSettings(Table):
    """`[[port]]`: one egress port, its targets and its sizing policy.

    A port with `[[port.queue]]` tables has one of these for each of its queues (`written_queues`).

    Without `capacity` the switch measures it. Until then, what follows from the capacity has to
    wait: the policy, max-delay, and limits that are not given.
    """

    _place: Place = PrivateAttr(default_factory=Place)
    """Where the table begins in a file, for messages; empty: it is in none."""
    number: Annotated[Whole, Field(ge=0, lt=PORT_COUNT)]
    """The egress port. In a file also a range such as `"1-8"`, or a list such as `[1, "5-8"]`: the
    table then applies to each of these ports."""
    name: PanelName | None = None
    """The port's name on the front panel. In a range's table, `{number}` stands for the number.
    Default: none."""
    mode: PortMode = PortMode.CONTROL
    """`control` writes the limits that the policy decides. `observe` only shows and exports
    them."""
    capacity: Rate | None = None
    """The rate at which the link carries Ethernet frames, without preamble, gap and FCS. On a
    Tofino: the nominal rate. Default: what the switch measures, if its program can."""
    policy: str = "abs"
    """What decides the limit; see [Policies](policies.md)."""
    utilization: Fraction = 0.98
    """Target: the link is busy for at least this share of the time."""
    utilization_from: UtilizationFrom = UtilizationFrom.IDLE
    """`idle` takes utilization from measured idle time. `departures` takes it from the departed
    bytes and `capacity`."""
    round_capacity: Boolean = False
    """A Tofino's program has a few rates only. `true` rounds `capacity` down to one of them;
    `false` refuses other capacities."""
    loss: Fraction = 0.02
    """Target: at most this share of the offered bytes is dropped."""
    max_delay: Duration | None = None
    """The longest time that a full queue may take to drain. It has priority over the targets. A
    `max-delay` that is too short for `min-limit` is refused. Default: no bound."""
    mtu: Mtu = DEFAULT_MTU_BYTES
    """The longest Ethernet frame of the port, with header and 802.1Q tags, without FCS."""
    min_limit: Size = Field(default_factory=lambda others: FRAMES_OF_MIN_LIMIT * others["mtu"])
    """The smallest limit; at least one `mtu`. Default: twice the `mtu`."""
    max_limit: Size | None = None
    """The largest limit. Default: what the link carries in one second."""
    initial_limit: Size | None = None
    """The limit at the start; with the policy `static`, it stays the limit. Default: the limit that
    the switch has or, if it has none, what the link carries in 250 ms."""
    safe_limit: Size | None = None
    """The limit that the controller leaves when it ends, or when somebody releases the port. After
    a crash the last limit stays. Default: the larger of the last limit and what the link carries
    in 250 ms (but at most 64 MiB), within the port's bounds."""
    max_step: Step | None = None
    """The most by which one interval may change the limit. A port gets its `initial-limit` and its
    `safe-limit` in one step. Default: no bound."""
    ecn_marking: Boolean = False
    """`true` marks packets beyond the limit instead of dropping them, if their senders understand
    ECN."""
    priority: Priority = 0
    """Where ports share `memory` by limits: ports of the highest priority get memory first."""
    alpha: Alpha = 1.0
    """Where the program shares `memory`: the queue may be as long as `alpha` times the free
    memory."""
    parameters: dict[str, Number] = Field(default_factory=dict)
    """The policy's own parameters, as a table; see [Policies](policies.md). Default: the
    policy's defaults."""
    agreement: tuple[AgreementSettings, ...] = ()
    """Service level agreements of the port, as `[[port.agreement]]` tables. Default: none."""
    queue: Annotated[QueueSettings | None, Values("tables")] = None
    """The queues of the port to control, as `[[port.queue]]` tables. Default: queue 0."""

    @field_validator("agreement", mode="before")
    @classmethod
    def _tables(cls, agreements: Any) -> Any:
        if isinstance(agreements, list) and all(isinstance(each, dict) for each in agreements):
            return agreements
        raise ValueError("write each agreement as a [[port.agreement]] table of its own")

    @field_validator("agreement")
    @classmethod
    def _named_differently(
        cls, agreements: tuple[AgreementSettings, ...]
    ) -> tuple[AgreementSettings, ...]:
        names = [agreement.name for agreement in agreements]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(
                f"agreement {twice}: another one has this name; give each its own name"
            )
        return agreements

    @field_validator("queue", mode="before")
    @classmethod
    def _as_table(cls, queue: Any) -> Any:
        if queue is None or isinstance(queue, dict):
            return queue
        raise ValueError("write each queue as a [[port.queue]] table of its own")

    @field_validator("policy")
    @classmethod
    def _known_policy(cls, name: str) -> str:
        if name not in POLICIES:
            raise ValueError(why_unknown(name))
        return name

    @field_validator("name")
    @classmethod
    def _by_number(cls, name: str | None, others: ValidationInfo) -> str | None:
        return name and name.replace("{number}", str(others.data.get("number")))

    @field_validator("min_limit")
    @classmethod
    def _frame_fits(cls, limit: int, others: ValidationInfo) -> int:
        mtu = others.data.get("mtu", 0)
        if limit < mtu:
            raise ValueError(f"must be at least {mtu}B, a frame of the port's mtu")
        return limit

    @field_validator("parameters", mode="before")
    @classmethod
    def _parameter_names(cls, parameters: Any) -> Any:
        if not isinstance(parameters, dict):
            return parameters
        return {str(name).replace("-", "_"): value for name, value in parameters.items()}

    @model_validator(mode="after")
    def _queue_is_measured(self) -> Self:
        if self.queue is None:
            return self
        if self.capacity is None:
            raise ValueError(
                "capacity is missing, which a port with queues needs; give the rate of its link, "
                "such as '10Mbit'"
            )
        if self.utilization_from is UtilizationFrom.DEPARTURES:
            raise ValueError(
                "utilization-from 'departures' cannot measure single queues; "
                "give utilization-from 'idle', or leave out [[port.queue]]"
            )
        return self

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.capacity is None and self.utilization_from is UtilizationFrom.DEPARTURES:
            raise ValueError(
                "capacity is missing, which utilization-from 'departures' needs; "
                "give capacity, such as '10Mbit', or utilization-from 'idle'"
            )
        self._check_bounds()
        try:
            self.make_policy(self.capacity or _FASTEST_BPS)
        except PolicyError as error:
            raise ValueError(kebab(str(error))) from None
        self._check_limit("initial-limit", self.initial_limit)
        self._check_limit("safe-limit", self.safe_limit)
        return self

    def _check_limit(self, key: str, limit: int | None) -> None:
        """Whether a limit that the file gives is within the bounds. Raises ValueError."""
        highest = self.largest_limit(self.capacity)
        if limit is None or self.min_limit <= limit <= (highest or limit):
            return
        cure = "lower it, or raise max-limit"
        if limit < self.min_limit:
            cure = "raise it, or lower min-limit"
        elif self.max_delay and self.capacity and highest != self._max_limit(self.capacity):
            cure = (
                f"max-delay {format_duration(self.max_delay)} allows no more at "
                f"{format_rate(self.capacity)}: lower {key} or raise max-delay"
            )
        raise ValueError(
            f"{self._numbered}: {key} {format_size(limit)}: must be within the "
            f"port's limits, {format_size(self.min_limit)} to "
            f"{'what the capacity allows' if highest is None else format_size(highest)}; {cure}"
        )

    def _check_bounds(self) -> None:
        """Whether max-limit and max-delay leave room above min-limit. Raises ValueError."""
        lowest = format_size(self.min_limit)
        if "min_limit" not in self.model_fields_set:
            lowest += (
                f", by default {FRAMES_OF_MIN_LIMIT} frames of the port's mtu; at least {self.mtu}B"
            )
        if self.max_limit is not None and self.max_limit < self.min_limit:
            raise ValueError(
                f"{self._numbered}: max-limit {format_size(self.max_limit)}: "
                f"must be at least min-limit ({lowest})"
            )
        if self.max_delay == 0:
            raise ValueError("max-delay 0us: must be above 0")
        if self.max_delay is None or self.capacity is None:
            return
        if self.max_delay * self.capacity < 8 * self.min_limit:
            needed = format_duration(8 * self.min_limit / self.capacity)
            raise ValueError(
                f"{self._numbered}: max-delay {format_duration(self.max_delay)}: must be above "
                f"{needed}, the time that the link takes to send min-limit ({lowest})"
            )

    def terms(self) -> tuple[Terms, ...]:
        """The port's agreements as they are judged."""
        return tuple(agreement.terms() for agreement in self.agreement)

    def largest_limit(self, capacity_bps: int | None) -> int | None:
        """The highest limit that max-limit and max-delay allow, in bytes; None: not known."""
        if capacity_bps is None:
            return self.max_limit
        return self._targets(capacity_bps).highest_bytes(capacity_bps)

    @property
    def lends_nothing(self) -> bool:
        """Whether the port's limit stays what it is, whatever the memory that it shares."""
        return self.policy == Static.name

    @property
    def address(self) -> QueueAddress:
        return QueueAddress(self.number, 0 if self.queue is None else self.queue.number)

    @property
    def index(self) -> int:
        """Under which everything below the settings has it, see `QueueAddress`."""
        return self.address.index

    @property
    def words(self) -> tuple[str, ...]:
        """What people may call it where one word is wanted: `3` and `Ethernet1/1`, of a queue `3.7`
        and `Ethernet1/1.7`."""
        queue = "" if self.queue is None else f".{self.queue.number}"
        return tuple(f"{port}{queue}" for port in (self.number, self.name) if port is not None)

    def be_placed(self, place: Place) -> None:
        """Says where the table begins in a file."""
        self._place = place

    @property
    def where(self) -> str:
        """What messages about the whole table begin with; empty if it is in no file."""
        return f"{self._place.text}: " if self._place.text else ""

    @property
    def label(self) -> str:
        """For people: `port 3 (Ethernet1/1)`, `port 3 (Ethernet1/1) queue 7`."""
        name = "" if self.name is None else f" ({self.name})"
        return f"port {self.number}{name}{self.queue_text}"

    @property
    def _numbered(self) -> str:
        """For errors, which look for keys in their words: a name may be one."""
        return f"port {self.number}{self.queue_text}"

    @property
    def queue_text(self) -> str:
        """What follows the port's number or name: ` queue 7`; empty: the port has one queue."""
        return "" if self.queue is None else f" queue {self.queue.number}"

    @property
    def given_capacity(self) -> int | None:
        """What bounds follow from if it is declared, in bit/s: that of a link. How much of its link
        a queue gets is measured."""
        return self.capacity if self.queue is None else None

    @property
    def is_observed(self) -> bool:
        """Whether nothing is written for it."""
        return self.mode is PortMode.OBSERVE

    def make_policy(self, capacity_bps: int) -> Policy[Any]:
        """The port's sizing policy for its declared or measured capacity. Raises PolicyError."""
        return self._made(capacity_bps, self._targets(capacity_bps))

    def make_policy_near(self, near: int, capacity_bps: int) -> Policy[Any]:
        """The same where this limit, in bytes, stays in force, whatever is decided.

        Measurements at one limit say less about limits that are further away, so decisions stay
        between half and twice of it. Raises PolicyError.
        """
        targets = self._targets(capacity_bps)
        lowest, highest = near // _OBSERVED_REACH, near * _OBSERVED_REACH
        if lowest > targets.min_limit_bytes:
            targets = replace(targets, min_limit_bytes=lowest, floor=Binding.MAX_STEP)
        if highest < targets.max_limit_bytes:
            targets = replace(targets, max_limit_bytes=highest, ceiling=Binding.MAX_STEP)
        return self._made(capacity_bps, targets)

    def _made(self, capacity_bps: int, targets: Targets) -> Policy[Any]:
        return _policy(self.policy, capacity_bps, targets, tuple(self.parameters.items()))

    @property
    def kept_of_memory(self) -> int:
        """What the port keeps of a shared memory in any case, in bytes. Raises ValueError."""
        if not self.lends_nothing:
            return self.min_limit
        if self.initial_limit is None:
            raise ValueError(
                f"{self._numbered}: initial-limit is missing, which a port with "
                "the policy static needs where ports share memory"
            )
        return self.initial_limit

    def is_sized_like(self, other: "PortSettings") -> bool:
        """Whether the same policy moves the limit within the same bounds."""
        return self.model_dump(exclude=_SIZES_NOTHING) == other.model_dump(exclude=_SIZES_NOTHING)

    def sets_limit(self, before: "PortSettings") -> bool:
        """Whether a port that had these settings before gets its initial limit at once: it is that
        of a static port, and new as such."""
        if not self.lends_nothing or self.initial_limit is None:
            return False
        return (self.policy, self.initial_limit) != (before.policy, before.initial_limit)

    def _max_limit(self, capacity_bps: int) -> int:
        """What max-limit alone allows, in bytes."""
        if self.max_limit is not None:
            return self.max_limit
        return max(self.min_limit, int(capacity_bps * DEFAULT_MAX_DRAIN_TIME_S / 8))

    def _targets(self, capacity_bps: int) -> Targets:
        """The targets as the policies take them. Raises InvalidTarget."""
        max_delay_s = self.max_delay
        if max_delay_s and capacity_bps != self.capacity:
            # It is too late to refuse the settings, so a link that is too slow for max-delay gets
            # the lowest limit.
            max_delay_s = max(max_delay_s, 8 * (self.min_limit + 1) / capacity_bps)
        return Targets(
            self.utilization,
            self.loss,
            max_delay_s,
            self.min_limit,
            self._max_limit(capacity_bps),
            self.max_step or UNBOUNDED_STEP,
            shares_link=self.queue is not None,
        )


# Most ports of a switch are alike and share one policy object: it is a value, so it is made once.
@lru_cache(maxsize=1024)
def _policy(
    name: str, capacity_bps: int, targets: Targets, parameters: tuple[tuple[str, float], ...]
) -> Policy[Any]:
    return create(name, capacity_bps, targets, **dict(parameters))

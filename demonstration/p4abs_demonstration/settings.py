"""The settings of a demonstration, checked before anything is changed."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from p4abs.errors import UserError
from p4abs.policies import POLICIES, PolicyError, Targets, create, required_parameters
from p4abs.policies.rules import DelayCap
from p4abs.units import parse_duration, parse_rate

CONGESTION_CONTROLS = ("reno", "cubic", "bbr")
FLOWS_MAX = 512
DURATION_MIN_S = 10.0
DURATION_MAX_S = 36_000.0
DELAY_MAX_S = 1.0  # a connection begins with several round trips
RATE_MIN_BPS = 500_000  # 25 full frames in the oversized buffer
PAIRS_MAX = 32  # of hosts; more flows share them
OVERSIZED_DRAIN_S = 0.6  # the buffer before ABS, by the time it takes to empty
LOGS = "logs"  # inside of the results folder
INTERVAL_S = 0.02  # of the controller
MEASURED = "measured"  # a capacity that nobody declares
UNDISTURBED = "none"
DISTURBANCE_LENGTHS_S = {"stall": 1.0, "pause": 2.0, "flap": 1.0}
# The shortest transient is 6 % of the duration; a disturbance begins three lengths before its end.
DISTURBED_DURATION_MIN_LENGTHS = 50
# The other policies need parameters such as the number of flows, or a cap on the delay.
POLICIES_TO_SHOW = tuple(
    name for name in POLICIES if not required_parameters(name) and name != DelayCap.name
)

_Quantity = TypeVar("_Quantity")


class SettingsError(UserError):
    """The demonstration cannot have these settings; the message is one line that says why."""


@dataclass(frozen=True)
class Settings:
    """One demonstration.

    target: the switch in the middle, as messages call it.
    delay_s: propagation delay of the bottleneck, one way. The way back takes one to two times
    as long, a different time for every sender, so that the flows do not move in step.
    capacity_declared_bps: what the controller is told that the capacity is; None: nothing, it
    measures.
    disturb: what happens once in each phase, of DISTURBANCE_LENGTHS_S, or UNDISTURBED.
    program: that of the switch, as p4abs.access.program names it; empty: the target's own.
    """

    target: str
    flows: int
    capacity_bps: int
    capacity_declared_bps: int | None
    delay_s: float
    duration_s: float
    congestion_control: str
    utilization: float
    loss: float
    policy: str
    disturb: str
    results: Path
    program: str = ""

    def __post_init__(self) -> None:
        one_of("congestion control", self.congestion_control, CONGESTION_CONTROLS)
        one_of("disturbance", self.disturb, (UNDISTURBED, *DISTURBANCE_LENGTHS_S))
        if self.capacity_bps < RATE_MIN_BPS:
            raise SettingsError(f"rate {self.capacity_bps} bit/s: must be at least {RATE_MIN_BPS}")
        if self.delay_s > DELAY_MAX_S:
            raise SettingsError(f"delay {self.delay_s:g} s: must be at most {DELAY_MAX_S:g} s")
        if not 1 <= self.flows <= FLOWS_MAX:
            raise SettingsError(f"flows {self.flows}: must be 1 to {FLOWS_MAX}")
        if not DURATION_MIN_S <= self.duration_s <= DURATION_MAX_S:
            raise SettingsError(
                f"duration {self.duration_s:g} s: must be at least {DURATION_MIN_S:g} s "
                f"and at most {DURATION_MAX_S:g} s"
            )
        self._check_time_to_recover()
        if self.policy not in POLICIES_TO_SHOW:
            what = "needs parameters that a demonstration does not give"
            why = what if self.policy in POLICIES else "unknown"
            valid = ", ".join(POLICIES_TO_SHOW)
            raise SettingsError(f"policy {self.policy!r}: {why}; valid: {valid}")
        limit_bytes = self.oversized_limit_bytes
        try:
            targets = Targets(self.utilization, self.loss, None, 1, limit_bytes)
            create(self.policy, self.capacity_declared_bps or self.capacity_bps, targets)
        except PolicyError as error:
            raise SettingsError(str(error)) from None

    def _check_time_to_recover(self) -> None:
        needed_s = DISTURBED_DURATION_MIN_LENGTHS * self.disturbance_length_s
        if self.duration_s < needed_s:
            raise SettingsError(
                f"duration {self.duration_s:g} s: must be at least {needed_s:g} s with a "
                f"{self.disturb} of {self.disturbance_length_s:g} s in each phase"
            )

    @property
    def pairs(self) -> int:
        """Pairs of hosts: one for each flow, up to a number that a small machine can carry."""
        return min(self.flows, PAIRS_MAX)

    @property
    def disturbance_length_s(self) -> float:
        """0 where nothing disturbs."""
        return DISTURBANCE_LENGTHS_S.get(self.disturb, 0.0)

    @property
    def oversized_limit_bytes(self) -> int:
        return round(OVERSIZED_DRAIN_S * self.capacity_bps / 8)

    def return_delay_s(self, number: int) -> float:
        """Propagation delay from the switch to sender `number` (from 1)."""
        steps = max(self.pairs - 1, 1)
        return self.delay_s * (1 + (number - 1) / steps)


def parse_settings(
    *,
    target: str,
    flows: str,
    rate: str,
    capacity_declared: str,
    delay: str,
    duration: str,
    congestion_control: str,
    utilization: str,
    loss: str,
    policy: str,
    disturb: str,
    results: str,
    program: str = "",
) -> Settings:
    """Settings from the command line's texts. Raises UserError.

    capacity_declared: empty for the real one, which is `rate`; MEASURED for none.
    """
    return Settings(
        target=target,
        flows=_whole_number("flows", flows),
        capacity_bps=_quantity("rate", rate, parse_rate),
        capacity_declared_bps=_declared_bps(capacity_declared or rate),
        delay_s=_quantity("delay", delay, parse_duration),
        duration_s=_number("duration", duration.removesuffix("s"), "60"),
        congestion_control=congestion_control,
        utilization=_number("utilization", utilization, "0.98"),
        loss=_number("loss", loss, "0.02"),
        policy=policy,
        disturb=disturb,
        results=Path(results),
        program=program,
    )


def _declared_bps(text: str) -> int | None:
    if text == MEASURED:
        return None
    return _quantity("capacity-declared", text, parse_rate, f", or {MEASURED}")


def _quantity(
    name: str, text: str, parse: Callable[[object], _Quantity], or_else: str = ""
) -> _Quantity:
    try:
        return parse(text)
    except ValueError as error:
        raise SettingsError(f"{name}: {error}{or_else}") from None


def _whole_number(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise SettingsError(f"{name} {text!r}: must be a whole number") from None


def _number(name: str, text: str, example: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SettingsError(f"{name} {text!r}: must be a number, such as {example}") from None


def one_of(what: str, value: str, valid: Collection[str]) -> None:
    """Raises SettingsError with the valid values unless this is one of them."""
    if value not in valid:
        raise SettingsError(f"{what} {value!r}: unknown; valid: {', '.join(valid)}")

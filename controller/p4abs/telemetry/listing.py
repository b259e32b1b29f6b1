"""Which ports a view shows, and in which order."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from p4abs.config import PortSettings
from p4abs.errors import UserError
from p4abs.p4_constants import PORT_COUNT
from p4abs.policies import POLICIES, Binding
from p4abs.telemetry.concern import Concern, Figures, concern_of
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.port_meter import PortMeter


@dataclass(frozen=True, slots=True)
class Listed:
    """A port with its meter and what it needs of people."""

    port: PortSettings
    meter: PortMeter
    concern: Concern
    excess: float

    @property
    def is_idle(self) -> bool:
        """Whether it needs nobody as long as it has no traffic."""
        return self.concern is Concern.UNUSED

    def has(self, word: str) -> bool:
        """Whether the word is the port's number, or part of its state, binding or policy."""
        if word in _NUMBERS:
            return word == str(self.port.number)
        last = self.meter.last
        binding = "" if last is None else last.binding.value
        return any(word in text for text in (self.concern.text, binding, self.port.policy))


# Each sorts the smallest first; what is not known comes last.
_KEYS: dict[str, Callable[[Listed], tuple[float, ...]]] = {
    "worst": lambda each: (each.concern, -each.excess),
    "port": lambda each: (each.port.number,),
    "loss": lambda each: (-each.meter.recent.loss,),
    "utilization": lambda each: _unknown_last(each.meter.recent.utilization),
    "delay": lambda each: _unknown_last(_negative(_delay_s(each))),
    "limit": lambda each: _unknown_last(_negative(_limit_bytes(each))),
}


@dataclass(frozen=True)
class Selection:
    """What was asked for. `sort` is one of SORTS (None: the view's own), all `words` must fit."""

    sort: str | None = None
    words: tuple[str, ...] = ()

    def of(self, listed: Iterable[Listed], order: str) -> list[Listed]:
        """The wanted ones, by `sort` or else by `order`; equal ones by their numbers."""
        key = _KEYS[self.sort or order]
        wanted = [each for each in listed if all(map(each.has, self.words))]
        return sorted(wanted, key=lambda each: (*key(each), each.port.number))


SORTS = tuple(_KEYS)
# What the words of a filter are, or are part of.
_NUMBERS = frozenset(map(str, range(PORT_COUNT)))
_TEXTS = (*(concern.text for concern in Concern), *Binding, *sorted(POLICIES))
EVERYTHING = Selection()


def parse_selection(sort: str | None, words: str | None) -> Selection:
    """The selection of `--sort` and `--filter`. Raises UserError."""
    if sort is not None and sort not in _KEYS:
        raise UserError(f"--sort: {sort!r} is unknown; valid: {', '.join(SORTS)}")
    wanted = tuple((words or "").lower().split())
    for word in wanted:
        if word not in _NUMBERS and not any(word in text for text in _TEXTS):
            raise UserError(
                f"--filter: {word!r} is unknown; valid: a port, 0 to {PORT_COUNT - 1}, or parts "
                f"of: {', '.join(_TEXTS)}"
            )
    return Selection(sort, wanted)


def listed(port: PortSettings, switch: WatchedSwitch, now_s: float) -> Listed:
    """A port of the switch as its meter has it, `now_s` seconds after the Unix epoch."""
    meter, is_in_control = switch.meters[port.number], switch.is_in_control
    last = meter.last
    if last is None:
        return Listed(port, meter, concern_of(None, math.inf, is_in_control), 0.0)
    figures = Figures(
        utilization=meter.recent.utilization,
        loss=meter.recent.loss,
        utilization_target=port.utilization,
        loss_target=port.loss,
        binding=last.binding,
        is_unreachable=bool(last.unreachable),
        is_broken=switch.is_known and meter.agreements.broken > 0,
        is_used=meter.recent.offered_bytes >= 1,
    )
    concern = concern_of(figures, now_s - last.time_s, is_in_control)
    return Listed(port, meter, concern, figures.excess)


def counted(ports: Sequence[Listed]) -> str:
    """How many ports there are of each concern, the worst first."""
    counts = [(sum(each.concern is concern for each in ports), concern.text) for concern in Concern]
    return ", ".join(f"{count} {text}" for count, text in counts if count)


def _unknown_last(value: float | None) -> tuple[float, float]:
    return (1.0, 0.0) if value is None else (0.0, value)


def _negative(value: float | None) -> float | None:
    return None if value is None else -value


def _delay_s(each: Listed) -> float | None:
    return None if each.meter.last is None else each.meter.last.queue_delay_s


def _limit_bytes(each: Listed) -> float | None:
    return None if each.meter.last is None else each.meter.last.decided_limit_bytes

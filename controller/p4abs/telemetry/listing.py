"""Which ports a view shows, and in which order."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.errors import UserError
from p4abs.p4_constants import PORT_COUNT
from p4abs.policies import POLICIES, Binding
from p4abs.queues import MAX_QUEUES
from p4abs.states import PortState
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.port_meter import PortMeter


@dataclass(frozen=True, slots=True)
class Listed:
    """A port with its meter, its state and why it is in it.

    `excess` is how many times as much as allowed it loses.
    """

    port: PortSettings
    meter: PortMeter
    state: PortState
    reason: str
    excess: float

    @property
    def is_idle(self) -> bool:
        """Whether the port needs no attention while it has no traffic."""
        return self.state is PortState.NO_TRAFFIC

    @property
    def remark(self) -> str:
        """The state and its reason, if it needs attention; else empty."""
        needs_attention = self.reason and self.state <= PortState.NOT_MEASURED
        return f"{self.state.text}: {self.reason}" if needs_attention else ""

    def has(self, word: str) -> bool:
        """Whether the word is the port's number, with its queue's if it is one of several, or part
        of its state, binding or policy."""
        if _is_number(word):
            return word in (str(self.port.number), self.port.words[0])
        last = self.meter.last
        binding = "" if last is None else last.binding.value
        return any(word in text for text in (self.state.text, binding, self.port.policy))


# What is not known comes last.
_KEYS: dict[str, Callable[[Listed], tuple[float, ...]]] = {
    "worst": lambda each: (each.state, -each.excess),
    "port": lambda each: (each.port.number, each.port.address.queue),
    "loss": lambda each: (-each.meter.recent.loss,),
    "utilization": lambda each: _unknown_last(each.meter.recent.utilization),
    "delay": lambda each: _greatest_first(each, lambda last: last.queue_delay_s),
    "limit": lambda each: _greatest_first(each, lambda last: last.limit_bytes),
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
        return sorted(wanted, key=lambda each: (key(each), each.port.address))


SORTS = tuple(_KEYS)
# What the words of a filter are, or are part of.
_NUMBERS = frozenset(map(str, range(PORT_COUNT)))
_QUEUES = frozenset(map(str, range(MAX_QUEUES)))
_TEXTS = (*(state.text for state in PortState), *Binding, *sorted(POLICIES))
EVERYTHING = Selection()


def parse_selection(sort: str | None, words: str | None) -> Selection:
    """The selection of `--sort` and `--filter`. Raises UserError."""
    if sort is not None and sort not in _KEYS:
        raise UserError(f"--sort: {sort!r} is unknown; valid: {', '.join(SORTS)}")
    wanted = tuple((words or "").lower().split())
    for word in wanted:
        if not _is_number(word) and not any(word in text for text in _TEXTS):
            raise UserError(
                f"--filter: {word!r} is unknown; valid: a port, 0 to {PORT_COUNT - 1}, or parts "
                f"of: {', '.join(_TEXTS)}"
            )
    return Selection(sort, wanted)


def listed(port: PortSettings, switch: WatchedSwitch) -> Listed:
    """A port of the switch as it stands."""
    meter, state = switch.meters[port.index], switch.state(port.index)
    return Listed(
        port, meter, state, switch.reason(port.index), switch.states.excess(meter.position)
    )


def counted(ports: Sequence[Listed]) -> str:
    """The number of ports in each state, the worst state first."""
    counts = [(sum(each.state is state for each in ports), state.text) for state in PortState]
    return ", ".join(f"{count} {text}" for count, text in counts if count)


def _is_number(word: str) -> bool:
    """Whether the word is a port's number, or a queue's such as `2.7`."""
    port, point, queue = word.partition(".")
    return port in _NUMBERS and (queue in _QUEUES if point else True)


def _unknown_last(value: float | None) -> tuple[float, float]:
    return (1.0, 0.0) if value is None else (0.0, value)


def _greatest_first(each: Listed, of: Callable[[Sample], float | None]) -> tuple[float, float]:
    value = None if each.meter.last is None else of(each.meter.last)
    return _unknown_last(None if value is None else -value)

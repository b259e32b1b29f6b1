"""What is said when ports change their states."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from p4abs.config import ranges_of
from p4abs.session import Message
from p4abs.states import PortState
from p4abs.telemetry.port_states.switch_states import Change

MOST_LINES = 4
"""For so many ports that come into the same state at once; more have one line together."""


def messages(switch: str, changes: Iterable[Change]) -> Iterator[Message]:
    """A line for each port with the reason, or for many that have come into one state."""
    by_state: dict[PortState, list[Change]] = defaultdict(list)
    for change in changes:
        by_state[change.state].append(change)
    for state, same in by_state.items():
        for line in _lines(state, same):
            yield Message(line, switch, is_trouble=state.is_trouble)


def _lines(state: PortState, changes: Sequence[Change]) -> Iterator[str]:
    if len(changes) > MOST_LINES:
        yield f"ports {', '.join(ranges_of([change.port for change in changes]))}: {state.text}"
        return
    for change in changes:
        why = f" ({change.reason})" if change.reason else ""
        yield f"{change.label}: {state.text}{why}, after {change.before.text}"

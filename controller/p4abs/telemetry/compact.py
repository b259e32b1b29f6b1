"""Many ports in a terminal: a line each, as many as fit, and what is left in numbers.

Plain text: a rich table of some hundred ports would take longer than a control interval.
"""

from collections.abc import Sequence

from p4abs.session import limit_text
from p4abs.telemetry.listing import Listed, counted
from p4abs.telemetry.texts import (
    UNKNOWN,
    backlog_texts,
    capacity_texts,
    duration_text,
    percent_text,
)

_TITLES = (
    *("port", "state", "util", "target", "loss", "target", "limit", "delay", "backlog"),
    *("capacity", "binding", "budget"),
)
# Together with the blanks in between no more than 120.
_WIDTHS = (4, 18, 6, 6, 7, 7, 9, 8, 9, 10, 11, 7)
_LEFT = frozenset({"state", "binding"})


def compact_lines(ports: Sequence[Listed], height: int) -> list[str]:
    """A heading, the first ports, and the others counted, in at most so many lines (at least 3)."""
    room = max(1, height - 1)
    shown = ports if len(ports) <= room else ports[: room - 1]
    lines = [_line(_TITLES), *(_line(_cells(each)) for each in shown)]
    if len(shown) < len(ports):
        left = ports[len(shown) :]
        lines.append(f"and {len(left)} more: {counted(left)}")
    return lines


def _line(cells: Sequence[str]) -> str:
    return " ".join(
        cell.ljust(width) if title in _LEFT else cell.rjust(width)
        for cell, width, title in zip(cells, _WIDTHS, _TITLES, strict=True)
    ).rstrip()


def _cells(each: Listed) -> tuple[str, ...]:
    port, meter, last = each.port, each.meter, each.meter.last
    worst = meter.agreements.worst
    budget = "" if worst is None else f"{worst.error_budget:.0%}"
    targets = f"{port.utilization:.1%}", f"{port.loss:.2%}"
    declared, measured = capacity_texts(port, last)
    capacity = declared if measured == UNKNOWN else measured
    if last is None:
        unknown = (UNKNOWN, targets[0], UNKNOWN, targets[1], *[UNKNOWN] * 3, capacity, UNKNOWN)
        return (str(port.number), each.concern.text, *unknown, budget)
    return (
        str(port.number),
        each.concern.text,
        percent_text(meter.recent.utilization),
        targets[0],
        f"{meter.recent.loss:.2%}",
        targets[1],
        limit_text(last.decided_limit_bytes),
        duration_text(last.queue_delay_s),
        backlog_texts(last)[-1],
        capacity,
        str(last.binding),
        budget,
    )

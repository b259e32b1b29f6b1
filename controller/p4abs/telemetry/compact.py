"""Many ports in a terminal: a line each, as many as fit, and what is left in numbers.

Plain text: a rich table of some hundred ports would take longer than a control interval.
"""

import math
from collections.abc import Sequence
from functools import cache

from p4abs.queues import ranges_of
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
_WIDTHS = (4, 24, 6, 6, 7, 7, 9, 8, 9, 10, 11, 7)
_LEFT = frozenset({"state", "binding"})
# On a narrow terminal whole columns are left out, because half a number would be a wrong number.
_LEFT_OUT_FIRST = (9, 8, 5, 3, 7, 2, 6, 11, 10, 4)


def compact_lines(
    ports: Sequence[Listed], idle: Sequence[Listed], height: int, width: int
) -> list[str]:
    """A heading, the first ports, and the others counted, in at most so many lines (at least 3).

    Those that are `idle` share the last line, where there are any.
    """
    room = max(1, height - 1 - bool(idle))
    shown = ports if len(ports) <= room else ports[: room - 1]
    label_width = max(_WIDTHS[0], *(len(_label(each)) for each in shown), 0)
    columns = _columns(width - label_width + _WIDTHS[0])

    def line(cells: Sequence[str]) -> str:
        return _line((cells[0].rjust(label_width), *cells[1:]), columns)

    lines = [line(_TITLES), *(line(_cells(each)) for each in shown)]
    if len(shown) < len(ports):
        left = ports[len(shown) :]
        lines.append(f"and {len(left)} more: {counted(left)}")
    if idle:
        lines.append(_cut(f"{len(idle)} without traffic: {_numbers(idle)}", width))
    return lines


def _numbers(ports: Sequence[Listed]) -> str:
    """Such as `3-5, 8`."""
    return ", ".join(ranges_of([each.port.index for each in ports]))


def _cut(text: str, width: int) -> str:
    """Never cuts a number, because half a number would be a wrong number."""
    return text if len(text) <= width else f"{text[: width - 4].rpartition(', ')[0]}, ..."


def switch_lines(heads: Sequence[tuple[str, Sequence[Listed]]], height: int) -> list[str]:
    """A line for each switch, its title and its ports counted.

    Where there are more switches than lines, the worst come first, and the others are counted.
    """
    shown, left = heads, heads[:0]
    if len(heads) > height:
        worst_first = sorted(heads, key=lambda head: _worst(head[1]))
        shown, left = worst_first[: height - 1], worst_first[height - 1 :]
    lines = [f"{title}: {counted(ports)}" for title, ports in shown]
    if left:
        ports = [port for _, own in left for port in own]
        lines.append(f"and {len(left)} more switches: {counted(ports)}")
    return lines


def _worst(ports: Sequence[Listed]) -> tuple[float, float]:
    return min(((each.state, -each.excess) for each in ports), default=(math.inf, 0.0))


@cache
def _columns(width: int) -> tuple[int, ...]:
    """Those that there is room for."""
    columns = [*range(len(_WIDTHS))]
    for column in _LEFT_OUT_FIRST:
        if sum(_WIDTHS[each] + 1 for each in columns) - 1 > width:
            columns.remove(column)
    return tuple(columns)


def _line(cells: Sequence[str], columns: Sequence[int]) -> str:
    return " ".join(
        cells[each].ljust(_WIDTHS[each])
        if _TITLES[each] in _LEFT
        else cells[each].rjust(_WIDTHS[each])
        for each in columns
    ).rstrip()


def _label(each: Listed) -> str:
    """The port's number and its name on the front panel."""
    number, name = each.port.words[0], each.port.name
    return number if name is None else f"{name} {number}"


def _cells(each: Listed) -> tuple[str, ...]:
    port, meter, last = each.port, each.meter, each.meter.last
    worst = meter.agreements.worst
    budget = "" if worst is None else f"{worst.error_budget:.0%}"
    targets = f"{port.utilization:.1%}", f"{port.loss:.2%}"
    declared, measured = capacity_texts(port, last)
    capacity = declared if measured == UNKNOWN else measured
    if last is None:
        unknown = (UNKNOWN, targets[0], UNKNOWN, targets[1], *[UNKNOWN] * 3, capacity, UNKNOWN)
        return (_label(each), each.state.text, *unknown, budget)
    return (
        _label(each),
        each.state.text,
        percent_text(meter.recent.utilization),
        targets[0],
        f"{meter.recent.loss:.2%}",
        targets[1],
        limit_text(last.limit_bytes),
        duration_text(last.queue_delay_s),
        backlog_texts(last)[-1],
        capacity,
        str(last.binding),
        budget,
    )

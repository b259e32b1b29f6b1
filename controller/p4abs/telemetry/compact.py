"""Many ports in a terminal: a line each, as many as fit, and what is left in numbers.

Plain text: a rich table of some hundred ports would take longer than a control interval.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from p4abs.queues import ranges_of
from p4abs.telemetry.listing import Listed, counted
from p4abs.telemetry.texts import figures


class _Column(NamedTuple):
    """Of the figure of this name. A narrow terminal shows the columns of the highest ranks, always
    the first two of them: half a number would be a wrong number."""

    figure: str
    title: str
    width: int
    rank: int
    is_left: bool = False


# With the blanks in between no wider than 120.
_COLUMNS = (
    _Column("port", "port", 4, 12),
    _Column("state", "state", 24, 11, is_left=True),
    _Column("utilization", "util", 6, 6),
    _Column("utilization target", "target", 6, 4),
    _Column("loss", "loss", 7, 10),
    _Column("loss target", "target", 7, 3),
    _Column("limit", "limit", 9, 7),
    _Column("queue delay", "delay", 8, 5),
    _Column("max backlog", "backlog", 9, 2),
    _Column("rate", "capacity", 10, 1),
    _Column("binding", "binding", 11, 9, is_left=True),
    _Column("budget", "budget", 7, 8),
)


def compact_lines(
    ports: Sequence[Listed], idle: Sequence[Listed], height: int, width: int
) -> list[str]:
    """A heading, the first ports, and the others counted, in at most so many lines (at least 3).

    Those that are `idle` share the last line, where there are any.
    """
    room = max(1, height - 1 - bool(idle))
    shown = ports if len(ports) <= room else ports[: room - 1]
    titles = {column.figure: column.title for column in _COLUMNS}
    rows = [titles, *(figures(each) | {"port": _label(each)} for each in shown)]
    label_width = max(_COLUMNS[0].width, *(len(row["port"]) for row in rows))
    columns = _columns(width - label_width + _COLUMNS[0].width)
    lines = [
        " ".join(
            row[each.figure].ljust(each.width)
            if each.is_left
            else row[each.figure].rjust(label_width if each.figure == "port" else each.width)
            for each in columns
        ).rstrip()
        for row in rows
    ]
    if len(shown) < len(ports):
        left = ports[len(shown) :]
        lines.append(f"and {len(left)} more: {counted(left)}")
    if idle:
        numbers = ", ".join(ranges_of([each.port.index for each in idle]))
        lines.append(_cut(f"{len(idle)} without traffic: {numbers}", width))
    return lines


def _cut(text: str, width: int) -> str:
    """Shortens a text, but never cuts within a number."""
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
def _columns(width: int) -> tuple[_Column, ...]:
    """Those that there is room for."""
    columns = [*_COLUMNS]
    for column in sorted(_COLUMNS, key=lambda each: each.rank)[:-2]:
        if sum(each.width + 1 for each in columns) - 1 > width:
            columns.remove(column)
    return tuple(columns)


def _label(each: Listed) -> str:
    """The port's number and its name on the front panel."""
    number, name = each.port.words[0], each.port.name
    return number if name is None else f"{name} {number}"

"""Expected and received frames: in order at one port, in any order across ports."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from p4abs_switch.stf.parts import Pattern
from p4abs_switch.stf.statements import Expect

_ROW_BYTES = 16
_MAX_FRAMES = 8

Frames: TypeAlias = Mapping[int, Sequence[bytes]]


def compare(expected: Mapping[int, Sequence[Expect]], received: Frames) -> list[str]:
    """What differs, in lines to read; nothing when all is as expected."""
    lines: list[str] = []
    for port in sorted(expected.keys() | received.keys()):
        lines += _compare_port(port, expected.get(port, ()), received.get(port, ()))
    return lines


def listed(frames: Frames) -> list[str]:
    """Which frames left by which ports, in lines to read; of many the first ones."""
    lines = [
        f"a frame left by port {port}: {frame.hex(' ')}"
        for port in sorted(frames)
        for frame in frames[port]
    ]
    more = len(lines) - _MAX_FRAMES
    return lines if more <= 0 else [*lines[:_MAX_FRAMES], f"{more} more frames left"]


def _compare_port(port: int, expected: Sequence[Expect], received: Sequence[bytes]) -> list[str]:
    lines: list[str] = []
    if len(expected) != len(received):
        lines.append(f"port {port}: {_count(len(expected))} expected, {len(received)} received")
    for number, (statement, frame) in enumerate(zip(expected, received, strict=False), start=1):
        if statement.pattern is not None:
            place = f"port {port}, frame {number} (line {statement.line})"
            lines += _difference(place, statement.pattern, frame)
    for statement in expected[len(received) :]:
        digits = "any frame" if statement.pattern is None else _pairs(statement.pattern.digits)
        lines.append(f"  missing (line {statement.line}): {digits}")
    lines += [f"  not expected: {frame.hex(' ')}" for frame in received[len(expected) :]]
    return lines


def _difference(place: str, pattern: Pattern, frame: bytes) -> list[str]:
    digits = frame.hex()
    wanted = pattern.digits
    for index, (want, got) in enumerate(zip(wanted, digits, strict=False)):
        if want not in ("*", got):
            what = f"byte {index // 2} differs"
            break
    else:
        if len(digits) < len(wanted):
            what = f"{len(frame)} bytes received, {_whole_bytes(wanted)} or more expected"
        elif pattern.exact and len(digits) > len(wanted):
            what = f"{len(frame)} bytes received, {_whole_bytes(wanted)} expected"
        else:
            return []
    return [f"{place}: {what}", *_rows(wanted, digits, pattern.exact)]


def _rows(wanted: str, got: str, exact: bool) -> list[str]:
    """The rows of both that differ, one above the other, with marks below."""
    lines = []
    width = 2 * _ROW_BYTES
    for start in range(0, max(len(wanted), len(got) if exact else 0), width):
        want, have = wanted[start : start + width], got[start : start + width]
        marks = _marks(want, have, exact)
        if marks.strip():
            lines += [
                f"  {start // 2:5}  expected  {_pairs(want)}",
                f"         received  {_pairs(have)}",
                f"                   {_pairs(marks).rstrip()}",
            ]
    return lines


def _marks(want: str, have: str, exact: bool) -> str:
    length = max(len(want), len(have) if exact else 0)
    pairs = zip(want.ljust(length), have.ljust(length), strict=False)
    return "".join(" " if w in ("*", h) else "^" for w, h in pairs)


def _pairs(digits: str) -> str:
    return " ".join(digits[index : index + 2] for index in range(0, len(digits), 2))


def _whole_bytes(digits: str) -> int:
    return (len(digits) + 1) // 2


def _count(frames: int) -> str:
    return "no frame" if frames == 0 else f"{frames} frame{'s' if frames > 1 else ''}"

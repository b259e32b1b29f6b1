"""The smallest part of a case that still makes two switches differ."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from p4abs_switch.stf.statements import Packet, Statement

Differs = Callable[[Sequence[Statement]], bool]


def minimize(statements: Sequence[Statement], differs: Differs) -> list[Statement]:
    """Drops statements, then bytes of frames, as long as the case differs."""
    kept = _fewer_statements(list(statements), differs)
    for index, statement in enumerate(kept):
        if isinstance(statement, Packet):
            kept[index] = _fewer_bytes(kept, index, statement, differs)
    return kept


def _fewer_statements(kept: list[Statement], differs: Differs) -> list[Statement]:
    size = len(kept) // 2
    while size:
        start = 0
        while start < len(kept):
            rest = kept[:start] + kept[start + size :]
            if rest and differs(rest):
                kept = rest
            else:
                start += size
        size //= 2
    return kept


def _fewer_bytes(
    statements: Sequence[Statement], index: int, packet: Packet, differs: Differs
) -> Packet:
    def differs_with(frame: bytes) -> bool:
        changed = [*statements[:index], replace(packet, frame=frame), *statements[index + 1 :]]
        return differs(changed)

    frame = packet.frame
    size = len(frame) // 2
    while size:
        while len(frame) > size and differs_with(frame[:-size]):
            frame = frame[:-size]
        size //= 2
    for place in range(len(frame)):
        zeroed = frame[:place] + b"\0" + frame[place + 1 :]
        if zeroed != frame and differs_with(zeroed):
            frame = zeroed
    return replace(packet, frame=frame)

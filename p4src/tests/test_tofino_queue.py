"""The traffic manager's queue in `tna/queue`, run as its P4 source stands there."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p4src.tests import p4_controls

TNA = Path(__file__).resolve().parents[1] / "tna"
# The traffic manager's cell_size_bytes; the lengths that it reports count two of them.
CELL_BYTES = 176
REPORTED_CELLS = 2
OVERHEAD_BYTES = 24


class Port:
    """One port: its queue's reports, and what passes on the way to it."""

    def __init__(self, limit_bytes: int = 0) -> None:
        controls = p4_controls.load(TNA / "queue" / "ghost.p4", TNA / "queue" / "queue.p4")
        self._ghost, self._queue = controls["Ghost"](), controls["Queue"]()
        self._ghost.table_action["port_of_queue"] = "of_port"
        self._ghost.table_arguments["port_of_queue"] = (1,)
        self.limit_bytes = limit_bytes

    def report(self, length: int, *, of_another: bool = False) -> None:
        self._ghost.table_action["port_of_queue"] = "of_none" if of_another else "of_port"
        self._ghost.table_arguments["port_of_queue"] = () if of_another else (1,)
        self._ghost.apply(SimpleNamespace(qlength=length, qid=0, pipe_id=0))

    def passes(self, frame_bytes: int, *, is_request: bool = False) -> Any:
        """A frame; it counts for what it takes of the wire."""
        passage = SimpleNamespace()
        words = SimpleNamespace()
        wire_bytes = 0 if is_request else frame_bytes + OVERHEAD_BYTES
        self._queue.apply(1, is_request, wire_bytes, None, self.limit_bytes, words, passage)
        return passage

    def request(self) -> Any:
        return self.passes(0, is_request=True)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 1000, 2**18 - 1])
def test_a_reported_length_is_told_in_bytes(length: int) -> None:
    port = Port()
    port.report(length)
    answer = port.request()
    assert answer.found == answer.left == length * REPORTED_CELLS * CELL_BYTES


def test_reports_of_other_queues_change_nothing() -> None:
    port = Port()
    port.report(7)
    port.report(1000, of_another=True)
    assert port.request().left == 7 * REPORTED_CELLS * CELL_BYTES


@pytest.mark.parametrize("frame_bytes", [60, 1514, 9216])
def test_a_frame_is_admitted_exactly_while_it_fits_below_the_limit(frame_bytes: int) -> None:
    port = Port()
    port.report(100)
    backlog_bytes = 100 * REPORTED_CELLS * CELL_BYTES
    port.limit_bytes = backlog_bytes + frame_bytes + OVERHEAD_BYTES
    assert not port.passes(frame_bytes).dropped
    port.limit_bytes -= 1
    assert port.passes(frame_bytes).dropped


def test_no_limit_drops_nothing() -> None:
    port = Port(limit_bytes=0)
    port.report(2**18 - 1)
    assert not port.passes(9216).dropped


def test_a_limit_smaller_than_a_frame_admits_it_to_an_empty_queue_alone() -> None:
    port = Port(limit_bytes=500)
    assert not port.passes(1514).dropped
    port.report(1)
    assert port.passes(1514).dropped


def test_counts_are_of_the_wire_and_go_through_their_wrap() -> None:
    port = Port(limit_bytes=10_000)
    admitted_bytes = dropped_bytes = 0
    for turn in range(4):
        port.report(0 if turn % 2 == 0 else 1000)
        for frame_bytes in (60, 1514, 0x7000_0000):
            passage = port.passes(frame_bytes)
            if passage.dropped:
                dropped_bytes += frame_bytes + OVERHEAD_BYTES
            else:
                admitted_bytes += frame_bytes + OVERHEAD_BYTES
    assert admitted_bytes > 2**31
    answer = port.request()
    assert answer.admitted_bytes == admitted_bytes % 2**32
    assert answer.dropped_bytes == dropped_bytes % 2**32


def test_a_request_counts_nothing_and_is_never_dropped() -> None:
    port = Port(limit_bytes=1)
    port.report(1000)
    port.passes(1514)
    before = port.request()
    assert not before.dropped
    assert port.request() == before

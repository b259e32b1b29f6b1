"""Indices of queues, and how people read them."""

import pytest
from p4abs.p4_constants import PORT_COUNT
from p4abs.queues import MAX_QUEUES, QueueAddress, format_ports, port_text, port_word, ranges_of


def test_each_queue_has_its_index_and_queue_0_its_ports_number() -> None:
    every = [QueueAddress(port, queue) for queue in range(MAX_QUEUES) for port in range(PORT_COUNT)]
    assert [each.index for each in every] == [*range(MAX_QUEUES * PORT_COUNT)]
    assert [QueueAddress.at(each.index) for each in every] == every


@pytest.mark.parametrize(
    ("index", "text", "word"),
    [(2, "port 2", "2"), (511, "port 511", "511"), (3586, "port 2 queue 7", "2.7")],
)
def test_queue_0_goes_without_saying(index: int, text: str, word: str) -> None:
    assert (port_text(index), port_word(index)) == (text, word)


def test_ranges_end_with_their_queue() -> None:
    assert ranges_of([1, 2, 3, 511, 512, 513, 3586]) == ["1-3", "511", "0-1 queue 1", "2 queue 7"]
    assert format_ports([3586]) == "port 2 queue 7"
    assert format_ports([7, 3, 4]) == "ports 3-4, 7"

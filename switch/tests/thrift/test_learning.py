"""Digests over nanomsg, in BMv2's messages, and their acknowledgment over Thrift."""

import asyncio
import logging
import struct
from collections.abc import Sequence
from types import SimpleNamespace
from unittest.mock import Mock

import pynng
import pytest
from p4abs_switch import PortConfig, Switch
from p4abs_switch.bmv2.document import LearnList, learn_lists, parsed
from p4abs_switch.thrift import learning
from p4abs_switch.thrift.learning import Learning
from p4abs_switch.thrift.notifications import CannotPublish, Publisher
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.refusals import LearnCode

from .conftest import OF_THE_ENGINE, PROGRAMS, TIMEOUT_MS, Start, refused

NUMBER, DEVICE = 7, 3
MAX_TRIES, TRY_MS = 200, 300
LOADED = SimpleNamespace(learn_lists=[LearnList("seen", NUMBER, (48, 9))])


class Sent:
    """What a Learning publishes: samples of each message; `loads` is what the target counts."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []
        self.arrived = asyncio.Event()
        self.target = SimpleNamespace(
            loaded=LOADED, loads=1, outside=SimpleNamespace(device_id=DEVICE)
        )
        self.learning = Learning(self.target, self.publish)  # type: ignore[arg-type]

    def publish(self, message: bytes) -> None:
        self.messages.append(message)
        self.arrived.set()

    def take(self, *values: int) -> None:
        self.learning.take([("seen", [bytes([value]), b"\1\2"]) for value in values])

    def samples(self) -> list[list[int]]:
        """The first field of each sample, message by message."""
        return [[message[at + 5] for at in range(32, len(message), 8)] for message in self.messages]


@pytest.fixture
async def sent() -> Sent:
    return Sent()


async def test_a_message_has_bmv2_s_header_and_fields_in_whole_bytes(sent: Sent) -> None:
    sent.learning.set_most_samples(NUMBER, 2)
    sent.take(0xAA, 0xBB)
    [message] = sent.messages
    header = struct.unpack("<4sQiiQI", message[:32])
    assert header == (b"LEA|", DEVICE, 0, NUMBER, 0, 2)
    samples = [b"\0\0\0\0\0\xaa\1\2", b"\0\0\0\0\0\xbb\1\2"]
    assert message[32:] == b"".join(samples)


async def test_samples_wait_for_others_and_not_longer_than_they_may(sent: Sent) -> None:
    sent.learning.set_timeout(NUMBER, 1)
    sent.take(1, 2)
    assert sent.messages == []
    await asyncio.wait_for(sent.arrived.wait(), TIMEOUT_MS / 1000)
    assert sent.samples() == [[1, 2]]


async def test_without_a_timeout_samples_wait_for_a_full_message(sent: Sent) -> None:
    sent.learning.set_timeout(NUMBER, 0)
    sent.take(*range(15))
    assert sent.messages == []
    sent.take(15, 16)
    assert sent.samples() == [list(range(16))]
    sent.learning.set_most_samples(NUMBER, 1)
    assert sent.samples() == [list(range(16)), [16]]


async def test_what_is_not_acknowledged_is_not_sent_again(sent: Sent) -> None:
    sent.learning.set_most_samples(NUMBER, 2)
    sent.take(1, 1, 2, 1, 2)
    assert sent.samples() == [[1, 2]]
    sent.learning.acknowledge(NUMBER, 0, [1])
    sent.take(1, 2, 3)
    assert sent.samples() == [[1, 2], [2, 3]]
    sent.learning.acknowledge(NUMBER, 0)
    sent.learning.acknowledge(NUMBER, 1)
    sent.take(1, 2)
    assert sent.samples() == [[1, 2], [2, 3], [1, 2]]
    sent.learning.acknowledge(NUMBER, 99, [5])  # a buffer and samples that there are not


async def test_of_a_client_that_acknowledges_nothing_the_oldest_is_forgotten(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "_MAX_UNACKNOWLEDGED", 2)
    sent.learning.set_most_samples(NUMBER, 1)
    sent.take(1, 2, 3, 2, 1)
    assert sent.samples() == [[1], [2], [3], [1]]


async def test_another_program_starts_anew(sent: Sent) -> None:
    sent.learning.set_timeout(NUMBER, 0)
    sent.take(1)
    sent.target.loads += 1
    sent.learning.set_most_samples(NUMBER, 1)
    assert sent.messages == []
    sent.take(1)
    assert sent.samples() == [[1]]


async def test_what_waits_when_the_program_is_replaced_is_not_sent(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_later = Mock()
    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", call_later)
    sent.take(1)
    sent.target.loads += 1
    _, time_out, *given = call_later.call_args.args
    time_out(*given)
    assert sent.messages == []


async def test_a_buffer_without_a_bound_has_one(
    sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "_MAX_UNACKNOWLEDGED", 3)
    sent.learning.set_timeout(NUMBER, 0)
    sent.learning.set_most_samples(NUMBER, 1 << 30)
    sent.take(1, 2, 3, 4)
    assert sent.samples() == [[1, 2, 3]]


@pytest.mark.parametrize("values", [[b"\1"], [b"\1", b"\2", b"\3"]])
async def test_digests_of_another_program_go_no_further(
    sent: Sent, values: Sequence[bytes]
) -> None:
    sent.learning.set_most_samples(NUMBER, 1)
    sent.learning.take([("seen", values), ("unknown", [b"\1", b"\2"])])
    assert sent.messages == []


def test_lists_that_the_compiler_calls_alike_are_told_apart_as_the_engine_does() -> None:
    text = (OF_THE_ENGINE / "digests.json").read_text()
    program = text.replace('"seen_t"', '"digest"').replace('"other_t"', '"digest"').encode()
    switch = Switch([PortConfig(1)])
    switch.load(program)
    for choice in (1, 2):
        switch.inject(1, bytes([choice]) + bytes(7), 0)
    switch.run_until(1_000)
    sent = [(name, len(fields)) for name, fields in switch.digests()]
    lists = learn_lists(parsed(program))
    assert sent == [(each.name, len(each.widths_bits)) for each in lists]
    assert len({name for name, _ in sent}) == 2


async def test_lists_and_bounds_that_cannot_be_are_refused(sent: Sent) -> None:
    for refuse in (
        lambda: sent.learning.acknowledge(8, 0),
        lambda: sent.learning.set_timeout(NUMBER, -1),
        lambda: sent.learning.set_most_samples(NUMBER, 0),
    ):
        with pytest.raises(Refusal):
            refuse()


def learn(started: SimpleNamespace, address: int) -> None:
    """A frame whose source programs/resources.p4 does not know, and tells."""
    at_ns = started.engine.now_us() * 1000 + 1000
    started.engine.inject(1, bytes(6) + address.to_bytes(6, "big") + b"\x08\0" + bytes(46), at_ns)
    started.engine.run_until(at_ns)


def test_a_subscriber_hears_of_digests_until_it_acknowledges_them(start: Start) -> None:
    started = start(PROGRAMS / "resources.json")
    client, number = started.client, 1
    client.bm_learning_set_buffer_size(0, number, 1)
    with pynng.Sub0(dial=started.notifications, recv_timeout=TRY_MS, topics=b"") as subscriber:
        message, sent = b"", list[int]()
        while not message:  # until the switch knows its subscriber
            sent.append(0x020000000001 + len(sent))
            assert len(sent) <= MAX_TRIES
            learn(started, sent[-1])
            try:
                message = subscriber.recv()
            except pynng.Timeout:
                continue
        *_, buffer, count = struct.unpack("<4sQiiQI", message[:32])
        # On a busy machine it may be one of those that were sent before the last one.
        address = int.from_bytes(message[32:38], "big")
        assert count == 1
        assert address in sent
        subscriber.recv_timeout = TIMEOUT_MS
        client.bm_learning_ack_buffer(0, number, buffer)
        learn(started, address)
        for _ in sent[sent.index(address) + 1 :]:  # messages that are still on their way
            assert subscriber.recv()[32:] != message[32:]
        assert subscriber.recv()[32:] == message[32:]
    client.bm_learning_set_timeout(0, number, 100)
    client.bm_learning_ack(0, number, buffer + 1, [0])
    refused(LearnCode.INVALID_LIST_ID, client.bm_learning_ack_buffer, 0, 9, 0)


def test_an_address_that_cannot_be_is_said_and_the_switch_goes_on(
    start: Start, caplog: pytest.LogCaptureFixture
) -> None:
    for address, reason in (
        ("nowhere", "Invalid argument"),
        ("ipc:///nosuchfolder/x", "no folder /nosuchfolder"),
        ("tcp://256.0.0.1:1", "Address invalid"),
    ):
        with pytest.raises(CannotPublish, match=f"{address}: {reason}"):
            Publisher(address)
    first = start(PROGRAMS / "resources.json")
    with caplog.at_level(logging.WARNING):
        second = start(PROGRAMS / "resources.json")
    assert f"no digests are published by nanomsg: {first.notifications}" in caplog.text
    assert second.client.bm_mgmt_get_info().notifications is None
    learn(second, 0x020000000001)
    assert second.client.bm_mgmt_get_info().device_id == 1

"""What subscribers hear of idle entries and of ports, in BMv2's messages."""

import struct
from types import SimpleNamespace

import pynng
import pytest
from p4abs_switch import PortConfig
from p4abs_switch.thrift.notices import Notices

from .conftest import NO_OPTIONS, PROGRAMS, Start, exact

SOURCES, LEARN = "ResourcesIngress.sources", "ResourcesIngress.learn"
TIMEOUT_MS = 100
DEVICE = 3
MAX_TRIES = 200
TRY_MS = 300


def add_source(client, address: int) -> int:
    key = [exact(address, 6)]
    handle: int = client.bm_mt_add_entry(0, SOURCES, key, LEARN, [], NO_OPTIONS)
    client.bm_mt_set_entry_ttl(0, SOURCES, handle, TIMEOUT_MS)
    return handle


def test_a_subscriber_hears_of_entries_that_are_not_hit(start: Start) -> None:
    started = start(PROGRAMS / "resources.json")
    handles = [add_source(started.client, address) for address in (1, 2)]
    with pynng.Sub0(dial=started.notifications, recv_timeout=TRY_MS, topics=b"AGE|") as subscriber:
        message = b""
        for _ in range(MAX_TRIES):  # until the switch knows its subscriber
            at_ns = started.engine.now_us() * 1000 + TIMEOUT_MS * 1_000_000
            started.engine.run_until(at_ns)
            try:
                message = subscriber.recv()
                break
            except pynng.Timeout:
                continue
    topic, device, context, _, table, count = struct.unpack("<4sQiQiI", message[:32])
    assert (topic, device, context, count) == (b"AGE|", 1, 0, 2)
    assert table == started.client.bm_get_id_from_name(0, 0, SOURCES)
    assert sorted(struct.unpack("<2i", message[32:])) == handles
    assert started.client.bm_mt_get_entry(0, SOURCES, handles[0]).key == [exact(1, 6)]


def test_a_subscriber_hears_of_ports(start: Start) -> None:
    started = start(PROGRAMS / "resources.json")
    with pynng.Sub0(dial=started.notifications, recv_timeout=TRY_MS, topics=b"PRT|") as subscriber:
        for number in range(100, 100 + MAX_TRIES):  # until the switch knows its subscriber
            started.engine.add_port(PortConfig(number))
            try:
                message = subscriber.recv()
            except pynng.Timeout:
                continue
            # Of the ports that were there before, or on a busy machine of an earlier one.
            told = {*struct.iter_unpack("<ii", message[32:])}
            if told & {(added, 1) for added in range(100, number + 1)}:
                break
        else:
            pytest.fail("it has heard of none that was added")
    assert struct.unpack("<4sQI16x", message[:32])[0] == b"PRT|"


class Ports:
    """A target whose ports are as `up` says, and what is published of them."""

    def __init__(self) -> None:
        self.up: dict[int, bool] = {}
        self.told: list[dict[int, int]] = []
        target = SimpleNamespace(engine=self, outside=SimpleNamespace(device_id=DEVICE))
        self.notices = Notices(target, self.publish)  # type: ignore[arg-type]

    def ports(self) -> list[tuple[PortConfig, bool]]:
        return [(PortConfig(port), up) for port, up in self.up.items()]

    def publish(self, message: bytes) -> None:
        topic, device, count = struct.unpack("<4sQI16x", message[:32])
        assert (topic, device, len(message)) == (b"PRT|", DEVICE, 32 + 8 * count)
        numbers = struct.unpack(f"<{2 * count}i", message[32:])
        self.told.append(dict(zip(numbers[::2], numbers[1::2], strict=True)))


@pytest.fixture
def ports() -> Ports:
    return Ports()


def test_ports_are_told_of_when_they_change_and_no_more(ports: Ports) -> None:
    ports.up = {1: True, 2: False}
    ports.notices.tell_ports()
    ports.notices.tell_ports()
    assert ports.told == [{1: 1}]
    ports.up = {1: False, 2: True}
    ports.notices.tell_ports()
    assert ports.told[1:] == [{1: 0, 2: 1}]


def test_a_port_that_is_removed_has_gone_down(ports: Ports) -> None:
    ports.up = {1: True, 2: False}
    ports.notices.tell_ports()
    ports.up = {}
    ports.notices.tell_ports()
    assert ports.told == [{1: 1}, {1: 0}]

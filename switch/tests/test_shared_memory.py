"""Memory that queues share (p4src/memory/shared.p4), in virtual time and to the byte."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs_switch import PortConfig, Switch

PROGRAM = (Path(__file__).parents[2] / "p4src" / "build" / "shared_queue.json").read_bytes()
CPU_PORT = 510
SOURCE = 1
FORWARDING = "AbsIngress.forwarding"
SHARING = "AbsIngress.queue_limit.share_memory"
US = 1_000
STALL_US = 1_000_000  # p4src/departures/queue.p4
ALPHA_1 = 1 << 10
SCALE_1 = 1 << 16


def frame(port: int, size: int) -> bytes:
    return bytes([2, 0, 0, 0, 0, port, 2, 0, 0, 0, 0, SOURCE, 0x88, 0xB5]).ljust(size, b"\0")


class Queues:
    """Ports that send a byte per microsecond; the last one's own memory is small: it loses."""

    def __init__(
        self,
        ports: Sequence[int] = (2, 3, 4),
        small_bytes: int | None = 3_000,
        rate_bps: int = 8_000_000,
    ) -> None:
        self.ports = ports
        links = {port: PortConfig(port, rate_bps=rate_bps) for port in ports}
        if small_bytes is not None:
            links[ports[-1]] = PortConfig(ports[-1], rate_bps=rate_bps, memory_bytes=small_bytes)
        self.engine = Switch([PortConfig(SOURCE), *links.values()], CPU_PORT)
        self.engine.load(PROGRAM)
        self.now_us = 0
        for port in ports:
            station, action = frame(port, 6)[:6], f"{FORWARDING}.forward"
            self.engine.table_insert(
                f"{FORWARDING}.ethernet_forward",
                [("exact", station)],
                ("action", action, [port.to_bytes(2, "big")]),
            )

    def set_memory(self, size: int) -> None:
        action = ("action", f"{SHARING}.set_memory", [size.to_bytes(6, "big")])
        self.engine.table_set_default(f"{SHARING}.memory_size", action)

    def share(self, port: int, alpha_1024ths: int, memory_class: int = 0) -> None:
        values = [bytes([memory_class]), alpha_1024ths.to_bytes(2, "big")]
        key, action = [("exact", port.to_bytes(2, "big"))], f"{SHARING}.share"
        self.engine.table_insert(f"{SHARING}.memory_sharing", key, ("action", action, values))

    def scale(self, memory_class: int, scale_65536ths: int) -> None:
        key, values = [("exact", bytes([memory_class]))], [scale_65536ths.to_bytes(3, "big")]
        action = ("action", f"{SHARING}.set_scale", values)
        self.engine.table_insert(f"{SHARING}.memory_class_scale", key, action)

    def run(self, us: int) -> None:
        self.now_us += us
        self.engine.run_until(self.now_us * US)

    def offer(self, port: int, size: int) -> bool:
        """Whether the frame is admitted."""
        before = self.register("admitted_bytes", port)
        self.engine.inject(SOURCE, frame(port, size), self.now_us * US)
        self.run(0)
        return self.register("admitted_bytes", port) != before

    def register(self, name: str, index: int = 0) -> int:
        [value] = self.engine.registers_read([(name, index)])
        return value

    @property
    def occupied(self) -> int:
        return self.register("occupied_bytes")

    def backlog(self, port: int) -> int:
        """As the program sees it: what was admitted, has not left, and is not written off."""
        counts = [("admitted_bytes", port), ("departed_bytes", port), ("written_off_bytes", port)]
        admitted, departed, written_off = self.engine.registers_read(counts)
        return admitted - max(departed, written_off)

    @property
    def queued(self) -> int:
        """What really stands in queues."""
        return sum(self.engine.port_statistics(port).queued_bytes for port in self.ports)


@dataclass(frozen=True)
class Step:
    """Time passes, then a frame arrives."""

    wait_us: int
    port: int
    size: int


STEPS = st.lists(
    st.builds(
        Step,
        wait_us=st.sampled_from([0, 0, 0, 0, 1, 500, 1_500, 20_000, STALL_US + 1]),
        port=st.sampled_from([2, 3, 4]),
        size=st.integers(60, 1514),
    ),
    max_size=80,
)


@given(STEPS, st.integers(1_514, 12_000), st.integers(1, 4 * ALPHA_1), st.sampled_from([1, 2, 5]))
def test_what_is_occupied_is_what_stands_in_the_queues_and_never_more_than_there_is(
    steps: list[Step], memory: int, alpha: int, share: int
) -> None:
    """Also where frames are lost behind the program, and with one port that has no threshold."""
    queues = Queues()
    queues.set_memory(memory)
    queues.share(2, alpha)
    queues.share(4, ALPHA_1, memory_class=7)
    queues.scale(7, SCALE_1 // share)
    for step in steps:
        queues.run(step.wait_us)
        queues.offer(step.port, step.size)
        assert queues.occupied == sum(map(queues.backlog, queues.ports))
        assert queues.queued <= queues.occupied <= memory
    # Once they have drained, and each port has had one look from the program, all is free.
    queues.run(STALL_US + 12_000)
    for port in queues.ports:
        queues.offer(port, 60)
    queues.run(1_000)
    assert queues.occupied == sum(map(queues.backlog, queues.ports)) == queues.queued == 0


@given(STEPS, st.integers(1_514, 12_000), st.integers(1, 4 * ALPHA_1), st.sampled_from([1, 2, 5]))
def test_a_frame_is_admitted_exactly_up_to_its_threshold(
    steps: list[Step], memory: int, alpha: int, share: int
) -> None:
    queues = Queues(small_bytes=None)
    queues.set_memory(memory)
    queues.share(2, alpha)
    queues.share(4, alpha, memory_class=7)
    queues.scale(7, SCALE_1 // share)
    scales = {2: SCALE_1, 4: SCALE_1 // share}
    for step in steps:
        queues.run(step.wait_us)
        free = memory - queues.occupied
        wanted = queues.backlog(step.port) + step.size
        fits = step.size <= free
        if step.port in scales:
            threshold = (free * alpha // ALPHA_1) * scales[step.port] // SCALE_1
            fits = fits and wanted <= threshold
        assert queues.offer(step.port, step.size) == fits


def test_what_was_lost_is_free_once_it_is_written_off() -> None:
    """Seen by a frame that does not depart itself, which would free it, too."""
    queues = Queues()
    for _ in range(20):
        queues.offer(4, 1514)
    queues.run(STALL_US + 20 * 1514)
    assert queues.queued == 0 < queues.occupied
    queues.engine.registers_write([("queue_limit_bytes", 4, 1)])
    assert not queues.offer(4, 60)
    assert queues.occupied == 0


def test_what_leaves_after_it_was_written_off_is_given_back_once() -> None:
    """A link that needs longer for a frame than the stall timeout."""
    queues = Queues(small_bytes=None, rate_bps=8_000)
    for _ in range(3):
        queues.offer(2, 1500)
    queues.run(STALL_US + 1)
    assert queues.offer(2, 60)
    assert queues.occupied == 60
    queues.run(STALL_US)
    assert queues.queued == 1560  # the second frame has left, behind what is written off
    assert queues.occupied == 60


@pytest.mark.parametrize(("count", "alpha"), [(1, 1.0), (4, 1.0), (4, 0.5), (8, 2.0), (16, 8.0)])
def test_queues_come_to_rest_where_dynamic_thresholds_say(count: int, alpha: float) -> None:
    """alpha / (1 + n alpha) of the memory each (Choudhury and Hahne 1998, equation 2)."""
    size, memory = 200, 400_000
    queues = Queues(range(2, 2 + count), small_bytes=None)
    queues.set_memory(memory)
    for port in queues.ports:
        queues.share(port, round(alpha * ALPHA_1))
    for _ in range(memory // size + 1):
        for port in queues.ports:
            queues.offer(port, size)
    expected = alpha * memory / (1 + count * alpha)
    for port in queues.ports:
        assert queues.backlog(port) == pytest.approx(expected, abs=2 * (1 + alpha) * size)


def test_the_memory_of_a_program_that_is_loaded_anew_is_free() -> None:
    queues = Queues()
    for _ in range(5):
        queues.offer(2, 1000)
    assert queues.occupied == 4000  # one is in transmission
    queues.engine.load(PROGRAM)
    assert queues.occupied == 0
    queues.run(10_000)
    assert queues.occupied == 0

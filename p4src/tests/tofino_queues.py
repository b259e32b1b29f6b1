"""Queues of the Tofino programs, each beside an exact one that admits the same frames.

Exact means fractions: whole numbers of an eighth of a byte, of which a link of R Gbit/s drains R
per nanosecond.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

from p4abs_switch._engine import PortConfig, Switch
from p4abs_switch.runtime.programmed import Programmed

from p4src.tests import p4_controls

SOURCES = Path(__file__).resolve().parents[1]
CONTROLS = p4_controls.load(SOURCES / "tna" / "byte_clock.p4", SOURCES / "tna" / "virtual_queue.p4")
COMPILED = SOURCES / "build" / "tofino" / "on_v1model.json"

STAMP_NS = 1 << 48
HOUR_NS = 3_600_000_000_000
RATES_GBPS = (1, 9, 10, 24, 25, 40, 49, 50, 98, 100, 200, 400)
# Of the wire: FCS, preamble and gap are in it.
OVERHEAD_BYTES = 24
GREATEST_FRAME_BYTES = 9216 + OVERHEAD_BYTES
MIXES = {
    "least": (88,),
    "ethernet": (88, 600, 1538),
    "full": (1538,),
    "jumbo": (88, 89, 1538, 9239, 9240),
}


@dataclass(frozen=True)
class Packet:
    """What one packet did, and the exact backlog that its fate leaves, in eighths of a byte."""

    frame_bytes: int
    admitted: bool
    backlog_bytes: int
    exact_eighths: int

    @property
    def error_bytes(self) -> float:
        return self.backlog_bytes - self.exact_eighths / 8


class Queue(ABC):
    """One port's. What stands in `limit_bytes` is in force from the next request on."""

    def __init__(self, rate_gbps: int, limit_bytes: int, start_ns: int) -> None:
        self.rate_gbps = rate_gbps
        self.limit_bytes = limit_bytes
        self.start_ns = self.last_ns = start_ns
        self.exact_eighths = 0
        self.admitted_bytes = 0
        self.dropped_bytes = 0
        self._prepare()
        self.request(start_ns)

    def request(self, now_ns: int) -> int:
        """A mailbox request; yields the backlog."""
        return self.pass_through(now_ns, 0).backlog_bytes

    def pass_through(self, now_ns: int, frame_bytes: int) -> Packet:
        """A frame, by what it takes of the wire; a request is one of no bytes."""
        admitted = self._pass(now_ns % STAMP_NS, frame_bytes)
        admitted_bytes = frame_bytes if admitted else 0
        elapsed_ns = max(0, now_ns - self.last_ns)
        self.last_ns += elapsed_ns
        self.exact_eighths = max(0, self.exact_eighths - elapsed_ns * self.rate_gbps)
        self.exact_eighths += 8 * admitted_bytes
        self.admitted_bytes += admitted_bytes
        self.dropped_bytes += frame_bytes - admitted_bytes
        *_, backlog_bytes, _, counted, counted_as_dropped = self.words()
        assert counted == self.admitted_bytes & 0xFFFFFFFF
        assert counted_as_dropped == self.dropped_bytes & 0xFFFFFFFF
        return Packet(frame_bytes, admitted, backlog_bytes, self.exact_eighths)

    @abstractmethod
    def _prepare(self) -> None: ...

    @abstractmethod
    def _pass(self, stamp_ns: int, frame_bytes: int) -> bool:
        """Whether the packet was admitted."""

    @abstractmethod
    def words(self) -> tuple[int, ...]:
        """The registers: clock, last packet, pending, backlog, excess, admitted and dropped."""


class SourceQueue(Queue):
    """The control as its P4 source stands there, in Python; with the bytes that found no use."""

    def __init__(self, rate_gbps: int, limit_bytes: int, start_ns: int) -> None:
        super().__init__(rate_gbps, limit_bytes, start_ns)
        self.idle_bytes = 0

    def _prepare(self) -> None:
        self.control = CONTROLS["VirtualQueue"]()
        self.control.drain_rate.table_action["drain_rate"] = f"gbps_{self.rate_gbps}"
        self.time_words = CONTROLS["TimeWords"]()
        self.idle_bytes = 0

    def _pass(self, stamp_ns: int, frame_bytes: int) -> bool:
        passage, words, time = SimpleNamespace(), SimpleNamespace(), SimpleNamespace()
        self.time_words.apply(stamp_ns, time)
        is_request = frame_bytes == 0
        self.control.apply(0, is_request, frame_bytes, time, self.limit_bytes, words, passage)
        if self.control.ahead < 1 << 31 and not passage.dropped:
            self.idle_bytes += max(0, words.first - self.control.answer)
        assert passage.dropped or passage.left == self.control.backlog.bytes
        return not passage.dropped

    def words(self) -> tuple[int, ...]:
        control = self.control
        return (
            control.clock_bytes,
            control.last_packet_65536ns,
            control.pending_bytes,
            control.backlog.bytes,
            control.backlog.excess,
            control.admitted_bytes,
            control.dropped_bytes,
        )


class CompiledQueue(Queue):
    """The whole pipeline, compiled for v1model, in the embedded target's engine."""

    SENDER, RECEIVER, CPU = 1, 2, 510
    STATION = 0x0200_0000_0002
    CONTROL = "OnV1modelIngress.tofino.virtual_queue"
    WORDS = (
        *("clock_bytes", "last_packet_65536ns", "pending_bytes", "backlog_bytes"),
        *("backlog_excess", "admitted_bytes", "dropped_bytes"),
    )
    WRITE_LIMIT = 0x01

    def _prepare(self) -> None:
        self.switch = Switch([PortConfig(self.SENDER), PortConfig(self.RECEIVER)], self.CPU)
        self.switch.load(COMPILED.read_bytes())
        self.tables = Programmed.of(self.switch, COMPILED.read_bytes())
        forwarding = "OnV1modelIngress.tofino.forwarding"
        table, forward = f"{forwarding}.ethernet_forward", f"{forwarding}.forward"
        self.tables.add(table, [(self.STATION,)], forward, self.RECEIVER)
        rates, port = f"{self.CONTROL}.drain_rate", [(self.RECEIVER,)]
        self.tables.add(f"{rates}.drain_rate", port, f"{rates}.gbps_{self.rate_gbps}")
        wire = "OnV1modelIngress.tofino.wire"
        self.tables.add(f"{wire}.port_mtu", port, f"{wire}.at_most", GREATEST_FRAME_BYTES)
        self._registers = [(f"{self.CONTROL}.{word}", self.RECEIVER) for word in self.WORDS]

    def _pass(self, stamp_ns: int, frame_bytes: int) -> bool:
        ethernet = self.STATION.to_bytes(6) + stamp_ns.to_bytes(6)
        if frame_bytes == 0:
            fields = ((self.WRITE_LIMIT, 1), (0, 1), (self.RECEIVER, 2), (self.limit_bytes, 4))
            request = b"".join(value.to_bytes(size) for value, size in fields)
            to_mailbox, sequence = (self.CPU << 7).to_bytes(2), bytes(4)
            self.switch.packet_out(to_mailbox + ethernet + b"\x88\xb6" + sequence + request)
            [_] = self.switch.packet_in()
            return True
        payload_bytes = frame_bytes - OVERHEAD_BYTES - 54
        ipv6 = b"\x60\0\0\0" + payload_bytes.to_bytes(2) + bytes(34)
        self.switch.inject(self.SENDER, ethernet + b"\x86\xdd" + ipv6, 0)
        return bool(self.switch.run_until(0))

    def words(self) -> tuple[int, ...]:
        values = self.switch.registers_read(self._registers)
        values[2] = (values[2] + CONTROLS["PENDING_FLOOR_BYTES"]) % 2**32  # it starts there
        return tuple(values)


KINDS = {"source": SourceQueue, "compiled": CompiledQueue}


def arrivals(
    seed: int, rate_gbps: int, sizes: tuple[int, ...], packets: int
) -> Iterator[tuple[int, int]]:
    """Gap in ns and frame: bursts of up to eight times the rate, lulls, silences of hours."""
    source = random.Random(seed)
    sent = 0
    while sent < packets:
        load = source.choice((0.3, 0.9, 1.0, 1.1, 2.0, 8.0))
        for _ in range(source.randrange(1, 400)):
            frame = source.choice(sizes)
            yield round(source.expovariate(1) * frame * 8 / rate_gbps / load), frame
            sent += 1
        lull_ns = 10 ** source.uniform(0, 7)
        silence_ns = source.choice((0.03, 0.5, 2, 40)) * HOUR_NS * source.random()
        yield round(silence_ns if source.random() < 0.3 else lull_ns), source.choice(sizes)

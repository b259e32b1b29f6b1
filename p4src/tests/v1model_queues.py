"""The v1model programs in the embedded target's engine, in virtual time and to the byte."""

import struct
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from p4abs_switch import PortConfig, Switch
from p4abs_switch.runtime.programmed import Programmed

BUILD = Path(__file__).resolve().parents[1] / "build"
BUILDS = ("queue", "shared_queue", "virtual_queue")
REAL_QUEUES = ("queue", "shared_queue")
CPU_PORT = 510
SOURCE = 1
US = 1_000  # ns
STALL_US = 1_000_000  # p4src/adaptive/departures/queue.p4
LOST_US = 10_000_000  # p4src/adaptive/memory/shared.p4
BYTE_PER_US = 1 << 20  # as a drain rate
ALPHA_1 = 1 << 10
SCALE_1 = 1 << 16
ETHER_TYPE = 0x88B5
FORWARDING = "AbsIngress.forwarding"
SHARING = "AbsIngress.queue_limit.share_memory"

_WRITE_LIMIT, _WRITE_MARKING = 0x01, 0x08
_RECORD = struct.Struct(">BIQQBQQQQQIQQQQQQQQ")
_HEAD = struct.Struct(">H12xHIBQ")  # packet-out, Ethernet, the mailbox's
_RECORDS_AT = 3 + 14 + 13  # behind packet-in, Ethernet, the mailbox's
ETHER_TYPE_MAILBOX = 0x88B6


class Snapshot(NamedTuple):
    """What the mailbox tells of a port (`mailbox_record_t`)."""

    operation: int
    port: int
    queue_limit_bytes: int
    drain_rate: int
    ecn_marking: int
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    unsaturated_us: int
    unsaturated_bytes: int
    backlog_window: int
    least_backlog_bytes: int
    greatest_backlog_bytes: int
    marked_bytes: int
    active_flow_us: int
    long_flow_us: int
    untracked_bytes: int
    timed_bytes: int
    timed_byte_us: int

    @property
    def backlog_bytes(self) -> int:
        return (self.admitted_bytes - self.departed_bytes) % 2**64


def frame(port: int, size: int, inner: bytes = ETHER_TYPE.to_bytes(2, "big")) -> bytes:
    """For the station behind a port; `inner` is what follows the addresses."""
    return (bytes([2, 0, 0, 0, 0, port, 2, 0, 0, 0, 0, SOURCE]) + inner).ljust(size, b"\0")


class Queues:
    """Ports that send a byte per microsecond; the last one's own memory may be small: it loses."""

    def __init__(
        self,
        build: str = "shared_queue",
        ports: Sequence[int] = (2, 3, 4),
        small_bytes: int | None = None,
        rate_bps: int = 8_000_000,
        queues: int = 1,
    ) -> None:
        self.ports = ports
        links = {port: PortConfig(port, rate_bps=rate_bps, queues=queues) for port in ports}
        if small_bytes is not None:
            links[ports[-1]] = PortConfig(ports[-1], rate_bps=rate_bps, memory_bytes=small_bytes)
        self.program = (BUILD / f"{build}.json").read_bytes()
        self.engine = Switch([PortConfig(SOURCE), *links.values()], CPU_PORT)
        self.engine.load(self.program)
        self.tables = Programmed.of(self.engine, self.program)
        self.now_us = 0
        self.sent: list[tuple[int, bytes]] = []
        self.left_us: list[int] = []
        for port in ports:
            self.forward(frame(port, 6)[:6], port)
            self.engine.registers_write([("drain_rate", port, BYTE_PER_US)])

    def forward(self, station: bytes, port: int) -> None:
        key = [(int.from_bytes(station, "big"),)]
        self.tables.add(f"{FORWARDING}.ethernet_forward", key, f"{FORWARDING}.forward", port)

    def set_memory(self, size: int) -> None:
        self.tables.set_default(f"{SHARING}.memory_size", f"{SHARING}.set_memory", size)

    def share(self, port: int, alpha_1024ths: int, memory_class: int = 0, queue: int = 0) -> None:
        table, action = f"{SHARING}.memory_sharing", f"{SHARING}.share"
        self.tables.add(table, [(port,), (queue,)], action, memory_class, alpha_1024ths)

    def scale(self, memory_class: int, scale_65536ths: int) -> None:
        table, action = f"{SHARING}.memory_class_scale", f"{SHARING}.set_scale"
        self.tables.add(table, [(memory_class,)], action, scale_65536ths)

    def run(self, us: int) -> None:
        """Time passes; what leaves is in `sent`, with its port, and when in `left_us`."""
        self.now_us += us
        left = self.engine.run_until(self.now_us * US)
        self.sent += [(port, bytes_) for _, port, bytes_ in left]
        self.left_us += [left_ns // US for left_ns, _, _ in left]

    def offer(self, port: int, size: int) -> bool:
        """Whether the frame is admitted."""
        return self.offer_frame(port, frame(port, size))

    def offer_frame(self, port: int, bytes_: bytes) -> bool:
        """Whether these bytes, which go to the port, are admitted."""
        before = self.register("admitted_bytes", port)
        self.engine.inject(SOURCE, bytes_, self.now_us * US)
        self.run(0)
        return self.register("admitted_bytes", port) != before

    def pause(self, port: int, us: int) -> None:
        """The link of an empty queue sends nothing else for so long: it has one long frame."""
        assert self.snapshot(port).backlog_bytes == 0
        assert self.offer(port, us)

    def exchange(self, port: int, limit: int | None = None, marking: int | None = None) -> Snapshot:
        """The mailbox writes what is given and answers."""
        operation = 0 if limit is None else _WRITE_LIMIT
        operation |= 0 if marking is None else _WRITE_MARKING
        record = _RECORD.pack(operation, port, limit or 0, 0, marking or 0, *[0] * 14)
        self.engine.packet_out(_HEAD.pack(CPU_PORT << 7, ETHER_TYPE_MAILBOX, 0, 1, 0) + record)
        self.run(0)
        [reply] = self.engine.packet_in()
        return Snapshot(*_RECORD.unpack_from(reply, _RECORDS_AT))

    def snapshot(self, port: int) -> Snapshot:
        return self.exchange(port)

    def register(self, name: str, index: int = 0) -> int:
        [value] = self.engine.registers_read([(name, index)])
        return value

    @property
    def occupied(self) -> int:
        return self.register("occupied_bytes")

    def backlog(self, port: int) -> int:
        """As the program counts it, without a look from it: what was admitted and has not left."""
        counts = [("admitted_bytes", port), ("departed_bytes", port)]
        admitted, departed = self.engine.registers_read(counts)
        return admitted - departed

    def queued(self, *ports: int) -> int:
        """What really stands in queues, of these ports or of all."""
        return sum(self.engine.port_statistics(port).queued_bytes for port in ports or self.ports)

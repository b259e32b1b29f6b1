"""A stand-in for a Tofino's traffic manager: queues of cells, links behind them, a driver's counts.

A frame takes whole cells until it has been sent. From the limit on all is dropped until the queue
has fallen by the hysteresis. The driver knows of drops what it saw when it last looked, a port's
count more often than a queue's. All this is as far as the sources of the SDE's drivers tell
(docs/explanation/tofino.md); what a chip does otherwise, nobody has looked at.
"""

from collections import deque
from dataclasses import dataclass, field

NS = 10**9
PORT_REFRESH_NS, QUEUE_REFRESH_NS = 2 * NS, 12 * NS
FCS_BYTES, GAP_BYTES = 4, 20
STATIC = "DISABLE"


@dataclass
class TmQueue:
    """One port's queue and link; times in ns, frames in bytes without FCS.

    crosses_limit: the frame that takes the queue over its limit is let in.
    """

    rate_bps: int
    cell_bytes: int
    guaranteed_cells: int = 20
    pool_max_cells: int = 5_000
    dynamic_baf: str = "80%"
    tail_drop_enable: bool = True
    hysteresis_cells: int = 32
    crosses_limit: bool = True
    depth_report_enable: bool = False
    usage_cells: int = 0
    watermark_cells: int = 0
    sent_frames: int = 0
    sent_octets: int = 0
    dropped_packets: int = 0
    dropped_bytes: int = 0
    port_knows: int = 0
    queue_knows: int = 0
    _drops: bool = False
    free_ns: float = 0.0
    _standing: deque[tuple[float, int, int]] = field(default_factory=deque)

    @property
    def limit_cells(self) -> int | None:
        if self.dynamic_baf != STATIC or not self.tail_drop_enable:
            return None
        return self.guaranteed_cells + self.pool_max_cells

    def frame(self, now_ns: float, frame_bytes: int) -> bool:
        """A frame comes; whether it is admitted."""
        self.run(now_ns)
        cells = -(-frame_bytes // self.cell_bytes)
        limit = self.limit_cells
        if limit is not None:
            released = self.usage_cells <= max(limit - self.hysteresis_cells, 0)
            most = limit - 1 if self.crosses_limit else limit - cells
            self._drops = self.usage_cells > most or (self._drops and not released)
            if self._drops:
                self.dropped_packets += 1
                self.dropped_bytes += frame_bytes
                return False
        wire_bytes = frame_bytes + FCS_BYTES + GAP_BYTES
        self.free_ns = max(self.free_ns, now_ns) + 8 * NS * wire_bytes / self.rate_bps
        self._standing.append((self.free_ns, cells, frame_bytes))
        self.usage_cells += cells
        self.watermark_cells = max(self.watermark_cells, self.usage_cells)
        return True

    def run(self, now_ns: float) -> None:
        """Sends until then."""
        while self._standing and self._standing[0][0] <= now_ns:
            _, cells, frame_bytes = self._standing.popleft()
            self.usage_cells -= cells
            self.sent_frames += 1
            self.sent_octets += frame_bytes + FCS_BYTES


@dataclass
class TrafficManager:
    """The queues of the ports that have been added, by number, as the default mapping has them."""

    cell_bytes: int
    ports_per_group: int
    queues_per_port: int
    total_cells: int = 280 * 1024
    pool_cells: int = 200 * 1024
    ports_count_drops: bool = True
    now_ns: int = 0
    queues: dict[int, TmQueue] = field(default_factory=dict)
    report_modes: dict[int, str] = field(default_factory=dict)
    _looked_at: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, build: str) -> "TrafficManager":
        """That of the chip of this program."""
        return cls(80, 4, 8) if build == "tna" else cls(176, 8, 16)

    def add(self, port: int, rate_bps: int) -> TmQueue:
        self.queues[port] = TmQueue(rate_bps, self.cell_bytes)
        return self.queues[port]

    def key(self, port: int) -> tuple[int, int, int]:
        """Pipe, port group and the group's queue of a port's queue id 0."""
        group, member = divmod(port % 128, self.ports_per_group)
        return port // 128, group, member * self.queues_per_port

    def report(self, port: int) -> tuple[tuple[int, int], int] | None:
        """What the ghost thread is told of a port's queue: the queue's pipe and number, and its
        length; None: nothing."""
        pipe, group, number = self.key(port)
        queue = self.queues[port]
        if not queue.depth_report_enable or self.report_modes.get(pipe) != "ANY":
            return None
        return (pipe, 128 * group + number), queue.usage_cells // 2

    def qid_queues(self, port: int) -> list[int]:
        """egress_qid_queues of tm.port.cfg."""
        if port not in self.queues:
            return []
        first = self.key(port)[2]
        return [first + qid % self.queues_per_port for qid in range(32)]

    def run(self, now_ns: int) -> None:
        """Lets time pass; the driver looks at its counters when they are due."""
        self.now_ns = now_ns
        for queue in self.queues.values():
            queue.run(now_ns)
        if self._is_due("port", PORT_REFRESH_NS) and self.ports_count_drops:
            for queue in self.queues.values():
                queue.port_knows = queue.dropped_packets
        if self._is_due("queue", QUEUE_REFRESH_NS):
            for queue in self.queues.values():
                queue.queue_knows = queue.dropped_packets

    def _is_due(self, what: str, period_ns: int) -> bool:
        if self.now_ns // period_ns == self._looked_at.get(what, 0):
            return False
        self._looked_at[what] = self.now_ns // period_ns
        return True

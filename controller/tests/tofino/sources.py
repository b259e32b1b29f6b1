"""Sources behind a stand-in's queue whose windows grow and are halved, as TCP Reno's (RFC 5681)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random

from controller.tests.tofino.sde import QueuedPort
from controller.tests.tofino.traffic_manager import NS, TmQueue


@dataclass
class Sources:
    """So many long flows; what a frame met is known a round trip after the queue has drained.

    frame_bytes: the sizes of frames, each as likely.
    """

    queue: TmQueue | QueuedPort
    flows: int
    rtt_s: float
    frame_bytes: Sequence[int] = (1500, 1500, 300)
    seed: int = 1
    offered_bytes: int = 0
    _events: list[tuple[float, int, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        random = self._random = Random(self.seed)
        self._rtt_ns = [self.rtt_s * NS * random.uniform(0.8, 1.2) for _ in range(self.flows)]
        self._windows = [2.0] * self.flows
        self._in_flight = [0] * self.flows
        self._deaf_until_ns = [0.0] * self.flows
        for flow in range(self.flows):
            heappush(self._events, (random.uniform(0, self.rtt_s) * NS, flow, True))
            self._in_flight[flow] = 1

    def run(self, until_ns: int) -> None:
        while self._events[0][0] <= until_ns:
            now_ns, flow, was_admitted = heappop(self._events)
            self._in_flight[flow] -= 1
            if was_admitted:
                self._windows[flow] += 1 / self._windows[flow]
            elif now_ns >= self._deaf_until_ns[flow]:
                self._windows[flow] = max(1.0, self._windows[flow] / 2)
                self._deaf_until_ns[flow] = now_ns + self._rtt_ns[flow]
            while self._in_flight[flow] < int(self._windows[flow]):
                self._send(now_ns, flow)

    def _send(self, now_ns: float, flow: int) -> None:
        frame_bytes = self._random.choice(self.frame_bytes)
        admitted = self.queue.frame(now_ns, frame_bytes)
        self.offered_bytes += frame_bytes
        self._in_flight[flow] += 1
        answer_ns = max(self.queue.free_ns, now_ns) + self._rtt_ns[flow]
        heappush(self._events, (answer_ns, flow, admitted))

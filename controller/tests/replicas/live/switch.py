"""A switch over real gRPC whose registers are looked at all the time."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from p4abs_switch.server.serve import RunningSwitch

PORTS = (1, 2)
MIN, MAX, MEMORY = 10_000, 200_000, 350_000
BACKLOG = 20_000
# Exchanges of one session are numbered. Fewer may be seen than there were, and the first ones of
# several sessions have the same numbers.
_UNSEEN = 3
_FIRST = 10


@dataclass
class ObservedSwitch:
    """`wrong` says what must not be; `exchanged_s` is when a controller was last at work."""

    name: str
    running: RunningSwitch
    exchanged_s: float = 0.0
    wrong: list[str] = field(default_factory=list)
    limits_seen: set[int] = field(default_factory=set)
    _sequence: int = 0
    _ended: list[int] = field(default_factory=list)

    def look(self, now_s: float, loses: bool) -> None:
        """At a time that never goes back; traffic goes on, with a loss if it `loses`."""
        engine = self.running.engine
        engine.run_until(round(now_s * 1e9))
        limits = [("queue_limit_bytes", port) for port in PORTS]
        sequence, *read = engine.registers_read([("backlog_window", PORTS[0]), *limits])
        if sequence != self._sequence:
            self.exchanged_s = now_s
            self._take(sequence)
            self._check(read)
            self._carry(now_s, loses)

    def _take(self, sequence: int) -> None:
        """A session that another one has followed never goes on."""
        if not _follows(self._sequence, sequence):
            if any(_follows(last, sequence) for last in self._ended if last > _FIRST):
                self.wrong.append(f"{self.name}: two writers, exchange {sequence}")
            self._ended.append(self._sequence)
        self._sequence = sequence

    def _check(self, limits: Sequence[int]) -> None:
        self.limits_seen |= {*limits}
        if not all(limit == 0 or MIN <= limit <= MAX for limit in limits):
            self.wrong.append(f"{self.name}: limits {limits} out of bounds")
        if sum(limits) > MEMORY:
            self.wrong.append(f"{self.name}: limits {limits} are more than the memory")

    def _carry(self, now_s: float, loses: bool) -> None:
        engine, sent = self.running.engine, round(now_s * 1_250_000)
        lost = engine.registers_read([("dropped_bytes", port) for port in PORTS])
        for port, dropped in zip(PORTS, lost, strict=True):
            values = {
                "admitted_bytes": sent + BACKLOG,
                "departed_bytes": sent,
                "dropped_bytes": dropped + 15_000 * loses,
                "departed_at_us": engine.now_us(),
            }
            engine.registers_write([(name, port, value) for name, value in values.items()])


def _follows(before: int, after: int) -> bool:
    return before < after <= before + _UNSEEN

"""Replicas of `p4abs control`, switches and links in virtual time; what must always be true."""

import random
from collections.abc import Iterable
from dataclasses import dataclass

from p4abs.access.program import load_program
from p4abs.cli.fleet_run import FleetRun
from p4abs.config import Settings, Source, load_settings
from p4abs.session import Message, Replica
from p4abs.telemetry import Fleet, Watcher

from controller.tests.replicas.processes import LoopClock, Process, Timeline
from controller.tests.replicas.switches import Link, Stream, VirtualSwitch

INTERVAL_S = 0.02
PORTS = (1, 2)
MIN, MAX, MEMORY = 10_000, 200_000, 350_000
BACKLOG = 20_000
PROGRAM = load_program("queue")
TAKE_OVER_S = 5 * INTERVAL_S
# What comes before the first limit that a new primary has decided on: registers are read, which is
# a write by mailbox alone, and the settings are written.
_MESSAGES_TO_BEGIN = {"mailbox": 2, "register-entry": 1}


class Said(Watcher):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def announce(self, message: Message) -> None:
        self.lines.append(str(message))


@dataclass
class Tenure:
    """A writer's time with a switch."""

    writer: Stream
    limits: list[int]
    messages: int = 0


class Node:
    """A replica: its process, which may be started again, and its links."""

    def __init__(self, world: "World", replica: Replica) -> None:
        self.replica = replica
        self.said = Said()
        self.run: FleetRun
        self.last_fault_s = 0.0
        self._world = world
        self._links: list[list[Link]] = [[] for _ in world.switches]
        self.start()

    @property
    def fleet(self) -> Fleet:
        return self.run.fleet

    def link(self, switch: int) -> Link:
        return self._links[switch][-1]

    def start(self) -> None:
        self.process = Process(self._world.timeline, self._control())
        for switch, links in zip(self._world.switches, self._links, strict=True):
            link = Link(self._world.timeline, self._world.generator, switch)
            link.process = self.process
            if links:
                link.is_cut, link.is_silent = links[-1].is_cut, links[-1].is_silent
            links.append(link)

    async def _control(self) -> None:
        self.run = FleetRun(self._world.settings(self.replica), LoopClock(), self.replica)
        self.fleet.watchers.append(self.said)
        await self.run.run()

    def fault(self) -> None:
        self.last_fault_s = self._world.timeline.now_s

    def kill(self) -> None:
        self.fault()
        for link in self._all_links():
            for stream in link.streams:
                link.to_switch(lambda link=link, stream=stream: link.switch.leave(stream))
        self.process.kill()

    def terminate(self) -> None:
        self.fault()
        self.process.receive(self.run.control.end)

    def stop(self) -> None:
        self.fault()
        self.process.stop()

    def go_on(self) -> None:
        self.fault()
        self.process.go_on()

    def jump(self, ahead_s: float) -> None:
        self.fault()
        self.process.jump(ahead_s)

    def cut(self, switch: int) -> None:
        self.fault()
        for link in self._links[switch]:
            link.cut()

    def silence(self, switch: int) -> None:
        self.fault()
        for link in self._links[switch]:
            link.silence()

    def mend(self, switch: int) -> None:
        self.fault()
        for link in self._links[switch]:
            link.mend()

    @property
    def takeovers(self) -> int:
        """How often it has become primary."""
        return sum("in control" in line for line in self.said.lines)

    def reaches_since_s(self, switch: int) -> float | None:
        """Since when it could control the switch without further ado."""
        link = self.link(switch)
        lives = self.process.is_running and not self.run.control.is_ending
        if not (lives and link.is_well and link.streams):
            return None
        return max(self.last_fault_s, *(stream.opened_s for stream in link.streams))

    def _all_links(self) -> Iterable[Link]:
        return (link for links in self._links for link in links)


class World:
    """`nodes` replicas control `switches`; check() says what is wrong now."""

    def __init__(self, nodes: int, switches: int, seed: int, path: str = "mailbox") -> None:
        self.timeline = Timeline()
        self.generator = random.Random(seed)
        self.path = path
        self.wrong: list[str] = []
        self.longest_orphan_s = 0.0
        self.limits_seen: set[int] = set()
        self.exchanged_s = [0.0] * switches
        self._primaries: list[tuple[Stream | None, float]] = [(None, 0.0)] * switches
        self._tenures: dict[int, Tenure] = {}
        self._is_lossy = [False] * switches
        self.switches = [
            VirtualSwitch(self.timeline, PROGRAM, lambda writer, n=n: self._written(n, writer))
            for n in range(switches)
        ]
        self.nodes = [Node(self, Replica(number, nodes)) for number in range(1, nodes + 1)]

    def settings(self, replica: Replica, **switch: object) -> Settings:
        """Of a replica; what all switches have otherwise is in `switch`."""
        tables = [
            {
                "name": f"s{n}",
                "grpc-addr": f"r{replica.number}.s{n}:9559",
                "memory": f"{MEMORY}B",
                "port": [
                    {
                        "number": f"{PORTS[0]}-{PORTS[-1]}",
                        "capacity": "10Mbit",
                        "min-limit": f"{MIN}B",
                        "max-limit": f"{MAX}B",
                    }
                ],
                **switch,
            }
            for n in range(len(self.switches))
        ]
        return load_settings(Source({"switch": tables}), {"register-path": self.path})

    def end(self) -> None:
        for node in self.nodes:
            node.process.kill()

    def link_of(self, address: str) -> Link:
        replica, switch = address.removesuffix(":9559").split(".")
        return self.nodes[int(replica[1:]) - 1].link(int(switch[1:]))

    def run(self, duration_s: float) -> None:
        """Looks every millisecond whether something is wrong."""
        end_s = self.timeline.now_s + duration_s
        while self.timeline.now_s < end_s:
            self.timeline.run_until(min(end_s, self.timeline.now_s + 0.001))
            self._look()

    def primary(self, switch: int) -> Node | None:
        stream = self.switches[switch].primary
        return None if stream is None else self._node_of(stream)

    def writer(self, switch: int) -> Node:
        """Who has written last."""
        return self._node_of(self._tenures[switch].writer)

    def limits(self, switch: int) -> list[int]:
        items = [("queue_limit_bytes", port) for port in PORTS]
        return self.switches[switch].engine.registers_read(items)

    def _node_of(self, stream: Stream) -> Node:
        owners = (n for n in self.nodes if n.process is stream.link.process)
        return next(owners, self.nodes[0])

    def _look(self) -> None:
        for n, switch in enumerate(self.switches):
            self.wrong += switch.violations
            switch.violations.clear()
            if switch.primary is not self._primaries[n][0]:
                self._primaries[n] = switch.primary, self.timeline.now_s
            orphan_s = self._orphan_s(n)
            self.longest_orphan_s = max(self.longest_orphan_s, orphan_s)
            if orphan_s > TAKE_OVER_S:
                self._complain(n, f"orphan for {orphan_s:.3f} s")

    def _orphan_s(self, n: int) -> float:
        """For how long nobody controls a switch that somebody has reached all the time.

        Whoever becomes primary in this time, or has a fault as primary, is missed from then on.
        """
        now_s = self.timeline.now_s
        since_s = self.exchanged_s[n]
        if (primary := self.primary(n)) is not None:
            since_s = max(since_s, self._primaries[n][1], primary.last_fault_s)
        reaching = [node.reaches_since_s(n) for node in self.nodes]
        first_s = min((s for s in reaching if s is not None), default=now_s)
        return now_s - max(since_s, first_s)

    def _complain(self, switch: int, what: str) -> None:
        self.wrong.append(f"{self.timeline.now_s:.3f} s: switch {switch}: {what}")

    def _written(self, n: int, writer: Stream) -> None:
        """A packet-out or a Write was taken."""
        self.exchanged_s[n] = self.timeline.now_s
        limits = self.limits(n)
        tenure = self._tenures.get(n)
        if tenure is None or tenure.writer is not writer:
            before = limits if tenure is None else tenure.limits
            tenure = self._tenures[n] = Tenure(writer, before)
        tenure.messages += 1
        if writer is not self.switches[n].primary:
            self._complain(n, "written by another one than the primary")
        if not all(limit == 0 or MIN <= limit <= MAX for limit in limits):
            self._complain(n, f"limits {limits} out of bounds")
        if sum(limits) > MEMORY:
            self._complain(n, f"limits {limits} are more than the memory")
        has_begun = tenure.messages > _MESSAGES_TO_BEGIN[self.path]
        leaves = self._node_of(writer).run.control.is_ending
        if limits != tenure.limits and all(tenure.limits) and not (has_begun or leaves):
            self._complain(n, f"begun with {limits}, not with {tenure.limits}")
        tenure.limits = limits
        self.limits_seen |= {*limits}
        self._load(n)

    def _load(self, n: int) -> None:
        """What the ports have carried since: at times they lose more than the target, or less."""
        if self.generator.random() < 0.02:
            self._is_lossy[n] = not self._is_lossy[n]
        loses = self.generator.random() < (0.9 if self._is_lossy[n] else 0.05)
        engine = self.switches[n].engine
        sent = round(self.timeline.now_s * 1_250_000)
        names = ("admitted_bytes", "departed_bytes", "dropped_bytes", "departed_at_us")
        lost = engine.registers_read([("dropped_bytes", port) for port in PORTS])
        for port, dropped in zip(PORTS, lost, strict=True):
            values = (sent + BACKLOG, sent, dropped + 1500 * loses, engine.now_us())
            engine.registers_write([(name, port, v) for name, v in zip(names, values, strict=True)])

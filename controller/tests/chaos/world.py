"""Two controllers and the switches of a chaos target, in virtual time; what must always be true.

A port that no fault touches any more is under control again within five intervals: within these,
an interval of its ends and is sampled. What costs a port its control for longer than it takes to
notice is said in a line.
"""

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Self
from unittest.mock import patch

from p4abs.cli.fleet_run import FleetRun
from p4abs.config import Settings, Source, load_settings
from p4abs.control import Samples
from p4abs.session import Message
from p4abs.telemetry import WatchedSwitch, Watcher

from controller.tests.chaos.model import MAX, MIN, ModelSwitch
from controller.tests.chaos.target import ChaosTarget, Link, PortFaults, SwitchFaults
from controller.tests.replicas.processes import LoopClock, Process, Timeline

INTERVAL_S = 0.2
LOOK_S = INTERVAL_S / 4
# Five intervals, and the one that is under way when the fault ends.
CONTROLLED_S = 6 * INTERVAL_S
# So long a port without intervals may be silent about it: its intervals are looked at each second,
# in which they may have ended, and exchanges that are late make seconds longer.
SAID_S = 6.0
LATENCY_S = 0.0005


class Said(Watcher):
    """What a controller says and samples."""

    def __init__(self, world: "World", controller: str) -> None:
        self._world = world
        self._controller = controller
        self.raises: list[Exception] = []

    def announce(self, message: Message) -> None:
        self._world.heard(self._controller, message)

    def sampled(self, switch: WatchedSwitch, samples: Samples) -> None:
        if self.raises:
            # What it is told then is not counted.
            self._world.touch(switch.name)
            raise self.raises.pop()
        self._world.sampled(switch.name, [samples.numbers[port] for port in samples.steps.ports])


@dataclass
class PortRecord:
    """What is known of a port's control. `touched_s` is when a fault last began or ended."""

    sampled_s: float
    touched_s: float
    faults: int = 0
    said_s: float = 0.0
    told_s: float = 0.0


@dataclass
class SwitchRecord:
    """The same of a switch: `faults` are those that no controller gets around."""

    touched_s: float
    said_s: float = 0.0
    faults: int = 0
    ports: dict[int, PortRecord] = field(default_factory=dict)


class Controller:
    """`p4abs control` as a process: the fleet's control without its command line."""

    def __init__(self, world: "World", name: str, election_id: int) -> None:
        self.name = name
        self._world = world
        self.election_id = election_id
        self.said = Said(world, name)
        self.process = Process(world.timeline, self._control())
        self.links = {
            switch: Link(
                world.switches[switch],
                world.faults[switch],
                world.generator,
                self._deliver,
                lambda: world.timeline.now_s,
                partial(world.touch, switch),
            )
            for switch in world.switches
        }

    async def _control(self) -> None:
        self.run = FleetRun(self._world.settings(self.name, self.election_id), LoopClock())
        self.run.fleet.watchers.append(self.said)
        self.failures = await self.run.run()

    def _deliver(self, arrive) -> None:
        self._world.timeline.after(LATENCY_S, lambda: self.process.receive(arrive))


class World:
    """`ports` are those of each switch. Used as `with World(...)`."""

    def __init__(self, seed: int, ports: Sequence[int], switches: int = 3) -> None:
        self.timeline = Timeline()
        self.generator = random.Random(seed)
        self.wrong: list[str] = []
        self.over_memory: list[str] = []
        self.late: list[str] = []
        self.lines: list[str] = []
        self.numbers = [*ports]
        self.memory = 60_000 * len(self.numbers)
        names = [f"s{n}" for n in range(switches)]
        self.switches = {
            name: ModelSwitch(name, ports, self.memory, seed + n) for n, name in enumerate(names)
        }
        self.faults = {
            name: SwitchFaults({number: PortFaults() for number in ports}) for name in names
        }
        now_s = self.timeline.now_s
        self.records = {
            name: SwitchRecord(now_s, ports={n: PortRecord(now_s, now_s) for n in ports})
            for name in names
        }

    def __enter__(self) -> Self:
        target = ChaosTarget(self._link_of)
        self._patch = patch("p4abs.session.controller.target_of", lambda *_: target)
        self._patch.start()
        self.controllers = {
            name: Controller(self, name, election_id) for name, election_id in (("a", 5), ("b", 1))
        }
        self.run(3.0)
        return self

    def __exit__(self, *_: object) -> None:
        for controller in self.controllers.values():
            controller.process.kill()
        self._patch.stop()

    def settings(
        self,
        controller: str,
        election_id: int,
        own: Callable[[int], Mapping[str, object]] = lambda port: {},
    ) -> Settings:
        """`own` is what a port has beside what all have."""
        port = {
            "capacity": "10Mbit",
            "min-limit": f"{MIN}B",
            "max-limit": f"{MAX}B",
            "safe-limit": f"{MIN + 10_000}B",
        }
        tables = [
            {
                "name": name,
                "grpc-addr": f"{controller}.{name}:9559",
                "interval": f"{INTERVAL_S * 1000:g}ms",
                "election-id": election_id,
                "memory": f"{self.memory}B",
                "port": [{**port, "number": number, **own(number)} for number in self.numbers],
            }
            for name in self.switches
        ]
        return load_settings(Source({"switch": tables}), {})

    def _link_of(self, address: str) -> Link:
        controller, switch = address.removesuffix(":9559").split(".")
        return self.controllers[controller].links[switch]

    def run(self, duration_s: float) -> None:
        """Looks every tenth of an interval whether something is wrong."""
        end_s = self.timeline.now_s + duration_s
        while self.timeline.now_s < end_s:
            self.timeline.run_until(min(end_s, self.timeline.now_s + LOOK_S))
            self._look()

    def touch(self, switch: str, ports: Iterable[int] = (), faults: int = 0) -> None:
        """A fault begins (1), ends (-1) or passes (0): of these ports, or of the switch."""
        record, now_s = self.records[switch], self.timeline.now_s
        touched = [record.ports[port] for port in ports] or [record]
        for each in touched:
            each.touched_s, each.faults = max(each.touched_s, now_s), each.faults + faults

    def note(self, line: str) -> None:
        """Whoever looks for a fault's cause reads these."""
        self.lines.append(f"{self.timeline.now_s:.3f} {line}")

    def heard(self, controller: str, message: Message) -> None:
        now_s = self.timeline.now_s
        self.note(f"{controller}: {message}")
        if message.switch is None:
            return
        record = self.records[message.switch]
        if numbers := _ports_named(message.text):
            for port in numbers & record.ports.keys():
                record.ports[port].said_s = now_s
        else:
            record.said_s = now_s
        if found := re.search(r"begins anew in ([0-9.]+) s", message.text):
            record.touched_s = max(record.touched_s, now_s + float(found[1]))

    def sampled(self, switch: str, ports: Iterable[int]) -> None:
        for port in ports:
            self.records[switch].ports[port].sampled_s = self.timeline.now_s

    def _look(self) -> None:
        for name, switch in self.switches.items():
            self.wrong += switch.wrong
            self.over_memory += switch.over_memory
            switch.wrong.clear()
            switch.over_memory.clear()
            record = self.records[name]
            for number, port in record.ports.items():
                if not switch.ports[number].load:
                    # Nothing is to be controlled; a new life is told when traffic is back.
                    port.touched_s = max(port.touched_s, self.timeline.now_s)
                self._look_at(f"{name}: port {number}", record, port)

    def _look_at(self, name: str, record: SwitchRecord, port: PortRecord) -> None:
        now_s = self.timeline.now_s
        if not (record.faults or port.faults):
            since_s = max(port.sampled_s, port.touched_s, record.touched_s)
            if now_s - since_s > CONTROLLED_S:
                self.late.append(
                    f"{now_s:.3f} s: {name}: not controlled for {now_s - since_s:.2f} s"
                )
                port.touched_s = now_s
        silent_s = now_s - max(port.sampled_s, port.told_s)
        if silent_s > SAID_S and max(port.said_s, record.said_s) < port.sampled_s - INTERVAL_S:
            self._complain(name, f"no interval for {silent_s:.2f} s, and nothing was said")
            port.told_s = now_s

    def _complain(self, name: str, what: str) -> None:
        self.wrong.append(f"{self.timeline.now_s:.3f} s: {name}: {what}")


def _ports_named(line: str) -> set[int]:
    """A line's ports: `port 3`, `ports 1-4, 7`."""
    named: set[int] = set()
    for numbers in re.findall(r"\bports? ([0-9]+(?:-[0-9]+)?(?:, [0-9]+(?:-[0-9]+)?)*):", line):
        for part in numbers.split(", "):
            first, _, last = part.partition("-")
            named |= {*range(int(first), int(last or first) + 1)}
    return named

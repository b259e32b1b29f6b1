"""Replicas as processes, switches over real gRPC, and one fault after the other.

Faults are kill -9, SIGSTOP and SIGCONT, connections that are reset or fall silent, and wires that
are unplugged. At no time may two replicas write to a switch, no switch may be without one for more
than five intervals while a replica reaches it, and no limit may leave its bounds. Clocks that jump
are for virtual time (test_chaos.py): the kernel's monotonic clock cannot be set.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p4abs.access.program import program_path
from p4abs.errors import P4absError
from p4abs_switch.server.serve import running
from p4abs_switch.testbed.process import Processes
from p4abs_switch.testing import config

from controller.tests.replicas.live.proxy import Proxy
from controller.tests.replicas.live.replica import Link, LiveReplica
from controller.tests.replicas.live.switch import MAX, MEMORY, MIN, PORTS, ObservedSwitch
from controller.tests.replicas.live.wires import Site, loopback_up

REPLICAS, SWITCHES = 3, ("s0", "s1")
KINDS = ("kill", "stop", "cut", "silence", "unplug")
LONGEST_FAULT_INTERVALS = 8
LOOK_S = 0.002
LONGEST_LOOK_S = 0.02
SETTLED_S = 300.0
TAKE_OVER_INTERVALS = 5


class NotSettled(P4absError):
    """After a fault the replicas did not come to rest."""


@dataclass
class Arena:
    """Replicas, switches, and what was seen of them.

    now_s: the time by which all of them are judged. It is the kernel's monotonic clock, but where a
    machine is so busy that a look takes longer than LONGEST_LOOK_S, the rest of the look does not
    count: the replicas have not been let run either.
    """

    switches: list[ObservedSwitch]
    replicas: list[LiveReplica]
    interval_s: float
    generator: random.Random
    is_lossy: bool = False
    fault_s: float = 0.0
    orphan_s: float = 0.0
    now_s: float = field(default_factory=time.monotonic)
    orphans_s: dict[str, list[float]] = field(default_factory=dict)

    async def look_on(self) -> None:
        """Until cancelled."""
        looked_s = time.monotonic()
        while True:
            await asyncio.sleep(LOOK_S)
            before_s, looked_s = looked_s, time.monotonic()
            self.now_s += min(looked_s - before_s, LONGEST_LOOK_S)
            if self.generator.random() < LOOK_S:
                self.is_lossy = not self.is_lossy
            for switch in self.switches:
                switch.look(self.now_s, self.is_lossy and self.generator.random() < 0.5)
                self._look_for_orphans(switch)

    def _look_for_orphans(self, switch: ObservedSwitch) -> None:
        """A fault is answered within five intervals, however soon it came after an exchange."""
        now_s = self.now_s
        well = [r for r in self.replicas if not r.is_disturbed and r.stands_for(switch.name)]
        since_s = min((replica.undisturbed_since_s for replica in well), default=now_s)
        orphan_s = now_s - max(since_s, switch.exchanged_s)
        self.orphan_s = max(self.orphan_s, orphan_s)
        unanswered_s = now_s - max(since_s, switch.exchanged_s, self.fault_s)
        if unanswered_s > TAKE_OVER_INTERVALS * self.interval_s:
            switch.wrong.append(f"{switch.name}: orphan for {unanswered_s:.2f} s")
            switch.exchanged_s = now_s

    async def strike(self, kind: str) -> None:
        """One fault; returns when it has passed and all is well again."""
        replica = self.generator.choice(self.replicas)
        link = self.generator.choice(replica.links)
        longest_s = LONGEST_FAULT_INTERVALS * self.interval_s
        for_s = self.generator.uniform(LOOK_S, longest_s)
        begin, end = _fault(kind, replica, link)
        self.fault_s, self.orphan_s, replica.is_disturbed = self.now_s, 0.0, True
        await begin()
        await asyncio.sleep(for_s)  # this is how long the fault lasts
        await end()
        await self.until_settled()
        self.orphans_s.setdefault(kind, []).append(self.orphan_s)

    async def until_settled(self) -> None:
        """Each switch has one primary, and all others are its backups. Raises NotSettled."""
        try:
            async with asyncio.timeout(SETTLED_S):
                while not all(map(self._is_settled, self.switches)):  # noqa: ASYNC110 - no event
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            said = [line for replica in self.replicas for line in replica.lines[-3:]]
            raise NotSettled(f"not settled after {SETTLED_S:g} s; last said: {said}") from None
        for replica in self.replicas:
            if replica.is_disturbed:
                replica.undisturbed_since_s, replica.is_disturbed = self.now_s, False

    def _is_settled(self, switch: ObservedSwitch) -> bool:
        is_at_work = self.now_s - switch.exchanged_s < 2 * self.interval_s
        stand = all(replica.stands_for(switch.name) for replica in self.replicas)
        return is_at_work and stand and sum(r.controls(switch.name) for r in self.replicas) == 1


def _fault(
    kind: str, replica: LiveReplica, link: Link
) -> tuple[Callable[[], Awaitable[None]], Callable[[], Awaitable[None]]]:
    """What begins a fault, and what ends it."""

    async def do(action: Callable[[], None]) -> None:
        action()

    proxy, wire = link.proxy, link.wire
    return {
        "kill": (replica.kill, replica.start),
        "stop": (lambda: do(replica.stop), lambda: do(replica.go_on)),
        "cut": (lambda: do(proxy.cut), lambda: do(proxy.mend)),
        "silence": (lambda: do(proxy.silence), lambda: do(proxy.mend)),
        "unplug": (lambda: do(wire.unplug), lambda: do(wire.plug_in)),
    }[kind]


async def chaos(faults: int, seed: int, interval_s: float) -> dict[str, Any]:
    """What came of that many faults. This process must be in a network namespace of its own."""
    generator = random.Random(seed)
    async with AsyncExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        switches = [
            ObservedSwitch(
                name,
                await stack.enter_async_context(
                    running(config(program=program_path("queue")), live=False)
                ),
            )
            for name in SWITCHES
        ]
        loopback_up()
        processes = stack.enter_context(Processes())
        replicas = []
        for number in range(1, REPLICAS + 1):
            site = Site(number, len(switches), processes, scratch)
            replicas.append(await _replica(stack, scratch, site, switches, interval_s))
        arena = Arena(switches, replicas, interval_s, generator)
        arena.fault_s = arena.now_s
        looking = asyncio.create_task(arena.look_on())
        stack.callback(looking.cancel)
        await arena.until_settled()
        for fault in range(faults):
            kind = KINDS[fault] if fault < len(KINDS) else generator.choice(KINDS)
            await arena.strike(kind)
        looking.cancel()
        ends = [(await replica.end(), replica.lines[-1]) for replica in replicas]
    return _report(arena, ends)


async def _replica(
    stack: AsyncExitStack,
    scratch: Path,
    site: Site,
    switches: list[ObservedSwitch],
    interval_s: float,
) -> LiveReplica:
    links = [
        Link(await stack.enter_async_context(Proxy(switch.running.address, wire.host)), wire)
        for switch, wire in zip(switches, site.wires, strict=True)
    ]
    path = scratch / f"{site.number}.toml"
    path.write_text(_configuration(switches, links, interval_s))
    replica = LiveReplica(path, site, REPLICAS, links)
    await replica.start()
    stack.push_async_callback(replica.kill)
    return replica


def _configuration(switches: list[ObservedSwitch], links: list[Link], interval_s: float) -> str:
    tables = [
        f"""[defaults]
capacity = "10Mbit"
min-limit = "{MIN}B"
max-limit = "{MAX}B"
"""
    ]
    tables += [
        f"""[[switch]]
name = "{switch.name}"
grpc-addr = "{link.proxy.address}"
interval = "{round(interval_s * 1000)}ms"
memory = "{MEMORY}B"
[[switch.port]]
number = "{PORTS[0]}-{PORTS[-1]}"
"""
        for switch, link in zip(switches, links, strict=True)
    ]
    return "\n".join(tables)


def _report(arena: Arena, ends: list[tuple[int, str]]) -> dict[str, Any]:
    wrong = [line for switch in arena.switches for line in switch.wrong]
    wrong += [f"a replica ended with status {status}: {said}" for status, said in ends if status]
    return {
        "interval_s": arena.interval_s,
        "faults": {kind: len(orphans_s) for kind, orphans_s in arena.orphans_s.items()},
        "longest_without_a_controller_s": {
            kind: round(max(orphans_s), 3) for kind, orphans_s in arena.orphans_s.items()
        },
        "limits_seen": len(set.union(*(switch.limits_seen for switch in arena.switches))),
        "wrong": wrong,
    }

"""Faults at random, one after the other; each passes after a while, others may begin before."""

import random
from collections import Counter
from collections.abc import Callable

from controller.tests.chaos.target import PortFaults
from controller.tests.chaos.world import World

EVERY_S = 0.08
LASTS_S = (0.05, 2.5)
JUMPS_S = (-1000.0, -1.0, -0.01, 0.01, 1.0, 1000.0)
ERRORS = (KeyError("x"), ZeroDivisionError("by 0"), AssertionError(), RuntimeError("at all"))

Strike = Callable[["Chaos", str], None]


class Chaos:
    """Strikes a world; the same seed strikes in the same way."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.counts: Counter[str] = Counter()
        self.generator = random.Random(seed)

    def run(self, faults: int) -> None:
        """So many, and until all have passed and what follows from them can be seen."""
        while self.counts.total() < faults:
            self.world.run(self.generator.expovariate(1 / EVERY_S))
            switch = self.generator.choice([*self.world.switches])
            kind = self.generator.choices([*KINDS], [weight for weight, _ in KINDS.values()])[0]
            self.counts[kind] += 1
            self.world.note(f"fault: {kind} of {switch}")
            KINDS[kind][1](self, switch)
        self.world.run(LASTS_S[1] + 4.0)

    def passes(self, end: Callable[[], None]) -> None:
        """Calls this after a while."""
        self.world.timeline.after(self.generator.uniform(*LASTS_S), end)

    def of_ports(self, switch: str, ports: list[int], fault: str) -> None:
        """A fault of PortFaults, of those of the ports that do not have it yet."""
        faults = self.world.faults[switch].ports
        struck = [port for port in ports if not getattr(faults[port], fault)]
        if not struck:
            return
        self.world.note(f"{fault} of {switch}: {struck}")
        for port in struck:
            setattr(faults[port], fault, True)
        self.world.touch(switch, struck, 1)

        def end() -> None:
            for port in struck:
                setattr(faults[port], fault, False)
            self.world.touch(switch, struck, -1)

        self.passes(end)

    def of_switch(self, switch: str, fault: str, value: object, before: object) -> None:
        """A fault of SwitchFaults, unless it is there already."""
        faults = self.world.faults[switch]
        if getattr(faults, fault) != before:
            return
        setattr(faults, fault, value)
        self.world.touch(switch, faults=1)

        def end() -> None:
            setattr(faults, fault, before)
            self.world.touch(switch, faults=-1)

        self.passes(end)

    def port(self) -> int:
        return self.generator.choice(self.world.numbers)


def _of_a_port(fault: str) -> Strike:
    return lambda chaos, switch: chaos.of_ports(switch, [chaos.port()], fault)


def _silence_a_pipe(chaos: Chaos, switch: str) -> None:
    numbers = chaos.world.numbers
    half = len(numbers) // 2
    chaos.of_ports(switch, chaos.generator.choice([numbers[:half], numbers[half:]]), "is_lost")


def _start_anew(chaos: Chaos, switch: str) -> None:
    model = chaos.world.switches[switch]
    model.lose_limits()
    chaos.world.touch(switch)
    for port in model.ports.values():
        port.start_anew()


def _reset(chaos: Chaos, switch: str) -> None:
    """A port's counters and limit, or its limit alone."""
    model, number = chaos.world.switches[switch], chaos.port()
    model.lose_limits([number])
    if chaos.generator.random() < 0.5:
        model.ports[number].start_anew()
    else:
        model.ports[number].limit = 0
    chaos.world.touch(switch, [number])


def _jump(chaos: Chaos, switch: str) -> None:
    """The data plane's clock, of one port or of all."""
    ports, ahead_s = chaos.world.switches[switch].ports, chaos.generator.choice(JUMPS_S)
    struck = [*ports] if chaos.generator.random() < 0.5 else [chaos.port()]
    chaos.world.note(f"jump of {switch}: {struck} by {ahead_s:g} s")
    for number in struck:
        ports[number].jump(ahead_s)
    chaos.world.touch(switch, struck)


def _stop_a_clock(chaos: Chaos, switch: str) -> None:
    port = chaos.world.switches[switch].ports[chaos.port()]
    if port.stopped_us is not None:
        return
    port.stopped_us = port.taken[-1].timestamp_us if port.taken else 0
    chaos.world.touch(switch, [port.number], 1)

    def end() -> None:
        port.stopped_us = None
        chaos.world.touch(switch, [port.number], -1)

    chaos.world.timeline.after(chaos.generator.uniform(0.5, 8.0), end)


def _jump_of_controller(chaos: Chaos, _switch: str) -> None:
    controller = chaos.generator.choice([*chaos.world.controllers.values()])
    controller.process.jump(chaos.generator.choice([0.01, 0.3, 1.0, 100.0]))
    for switch in chaos.world.switches:
        chaos.world.touch(switch)


def _cut(chaos: Chaos, switch: str) -> None:
    """A controller's session; at times only the controller notices, or both controllers do."""
    lingers_s = chaos.generator.choice([0.0, 0.0, 1.0, 3.0])
    both = [*chaos.world.controllers.values()]
    struck = both if chaos.generator.random() < 0.2 else [chaos.generator.choice(both)]
    links = [each.links[switch] for each in struck if not each.links[switch].is_cut]
    if not links:
        return
    is_orphan = len(links) == len(both)
    for link in links:
        link.cut(lingers_s)
    is_cut_off = is_orphan or all(each.links[switch].is_cut for each in both)
    chaos.world.touch(switch, faults=int(is_cut_off))

    def end() -> None:
        for link in links:
            link.is_cut = False
        chaos.world.touch(switch, faults=-int(is_cut_off))

    after_s = max(lingers_s, chaos.generator.uniform(*LASTS_S))
    chaos.world.timeline.after(after_s, end)


def _raise(chaos: Chaos, switch: str) -> None:
    chaos.world.faults[switch].raises.append(chaos.generator.choice(ERRORS))
    chaos.world.touch(switch)


def _raise_beside(chaos: Chaos, _switch: str) -> None:
    controller = chaos.generator.choice([*chaos.world.controllers.values()])
    controller.said.raises.append(chaos.generator.choice(ERRORS))


KINDS: dict[str, tuple[int, Strike]] = {
    **{fault.removeprefix("is_"): (12, _of_a_port(fault)) for fault in vars(PortFaults())},
    "silent pipe": (4, _silence_a_pipe),
    "reset": (8, _reset),
    "jump of a clock": (8, _jump),
    "stopped clock": (4, _stop_a_clock),
    "jump of a controller's clock": (2, _jump_of_controller),
    "switch anew": (2, _start_anew),
    "late": (3, lambda chaos, switch: chaos.of_switch(switch, "late_s", 0.35, 0.0)),
    "silent switch": (1, lambda chaos, switch: chaos.of_switch(switch, "is_silent", True, False)),
    "unfit port": (2, lambda chaos, switch: chaos.of_switch(switch, "is_unfit", True, False)),
    "cut": (4, _cut),
    "exception": (1, _raise),
    "exception beside": (1, _raise_beside),
}

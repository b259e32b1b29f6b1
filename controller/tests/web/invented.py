"""Switches that do not exist, with samples as a control loop would tell them."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.control import Sample
from p4abs.measurements import Interval
from p4abs.policies import Binding
from p4abs.telemetry import Board, Fleet

from controller.tests.telemetry.controllers import Controller
from controller.tests.telemetry.samples import samples_of

CAPACITY_BPS = 10_000_000_000
TARGETS = {"capacity": "10Gbit", "utilization": 0.98, "loss": 0.001, "max-delay": "2ms"}
GOLD = {
    "name": "gold",
    "loss": 0.002,
    "delay": "1ms",
    "window": "5s",
    "period": "10min",
    "objective": 0.95,
}


class Port:
    """A port that moves around its targets, each of a temper of its own."""

    def __init__(self, number: int, seed: int) -> None:
        self.number = number
        self._random = Random(seed)
        self._limit_bytes = self._random.randint(100_000, 1_500_000)
        self.temper = self._random.choices(
            ["fine", "bound", "unreachable", "lossy", "unused"], [80, 8, 4, 4, 4]
        )[0]

    def sample(self, time_s: float, duration_s: float) -> Sample | None:
        """What it did in an interval; None: nothing arrived."""
        if self.temper == "unused":
            return None
        random = self._random
        lossy = {"lossy": 8.0, "bound": 3.0}.get(self.temper, 1.0)
        self._limit_bytes = round(
            min(max(self._limit_bytes * random.uniform(0.97, 1.03), 20_000), 2_500_000)
        )
        admitted = round(CAPACITY_BPS * duration_s / 8 * random.uniform(0.97, 0.985))
        dropped = round(admitted * 0.001 * lossy * random.uniform(0.5, 1.5))
        backlog = round(self._limit_bytes * random.uniform(0.4, 1.0))
        idle_s = duration_s * random.uniform(0.01, 0.03)
        unreachable = self.temper == "unreachable"
        bindings = {"bound": Binding.MAX_DELAY, "unreachable": Binding.LOSS}
        return Sample(
            time_s=time_s,
            port=self.number,
            interval=Interval(
                duration_s, admitted, dropped, admitted, idle_s, backlog // 9, backlog, 0
            ),
            measured_capacity_bps=round(CAPACITY_BPS * 0.987),
            utilization=1 - idle_s / duration_s,
            loss=dropped / (admitted + dropped),
            limit_bytes=self._limit_bytes,
            occupancy_bytes=backlog,
            queue_delay_s=8 * backlog / CAPACITY_BPS,
            decided_limit_bytes=self._limit_bytes,
            binding=bindings.get(self.temper, random.choice([Binding.UTILIZATION, Binding.LOSS])),
            unreachable="utilization 98%: sources offer 76%" if unreachable else "",
            gains={"utilization": 0.05, "loss": 1.5},
            lateness_s=0.0002,
            exchange_s=0.0011,
        )


class InventedFleet:
    """Switches with so many ports each; `run` lets time pass."""

    def __init__(self, switches: int, ports: int, now_s: Callable[[], float] = time.time) -> None:
        names = [f"10.0.{index}.1:9559" for index in range(switches)]
        self.fleet = Fleet()
        for settings in _settings(names, ports):
            self.fleet.add(
                self.fleet.make(settings, lambda _events, settings=settings: Controller(settings))
            )
        self.controllers = [switch.controller for switch in self.fleet.switches.values()]
        self.ports = [
            [Port(number, 1000 * index + number) for number in range(1, ports + 1)]
            for index in range(switches)
        ]
        self.board = Board(self.fleet, now_s)
        self.fleet.watchers.append(self.board)

    def run(self, first_s: float, seconds: float, step_s: float = 1.0) -> None:
        """Samples of all ports, one each `step_s`."""
        for step in range(round(seconds / step_s)):
            self.tick(first_s + (step + 1) * step_s, step_s)

    def tick(self, time_s: float, step_s: float) -> None:
        """One interval of all ports."""
        self.fleet.now_s = lambda: time_s
        for switch, ports in zip(self.fleet.switches.values(), self.ports, strict=True):
            switch.controller.loop.statistics.ticks += 1
            switch.controller.loop.statistics.exchange_s.append(0.0011)
            made = [port.sample(time_s, step_s) for port in ports]
            if samples := [sample for sample in made if sample is not None]:
                switch.sampled(samples_of([*switch.meters], *samples))
            switch.tick()


def _settings(names: Sequence[str], ports: int) -> Iterator[SwitchSettings]:
    tables = {"switch": [{"port": [{"number": 1, **TARGETS, "agreement": [GOLD]}]}]}
    (settings,) = load_settings(Source(tables), {}).switch
    (promised,) = settings.port
    plain = promised.model_copy(update={"agreement": ()})
    own = tuple(
        (plain if number % 4 else promised).model_copy(update={"number": number})
        for number in range(1, ports + 1)
    )
    for name in names:
        yield settings.model_copy(update={"name": name, "port": own})


def changed(sample: Sample, **changes: object) -> Sample:
    """The sample with other fields."""
    return replace(sample, **changes)

"""The scheduled part of a demonstration: controllers and flows come and go."""

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from p4abs.access.rpc_error import RpcError
from p4abs_switch.testbed.process import ProcessFailed, Start

from p4abs_demonstration import control, disturbance
from p4abs_demonstration.control import Controller
from p4abs_demonstration.disturbance import Disturber, disturber
from p4abs_demonstration.dumbbell import Dumbbell, LinkNotSwitched
from p4abs_demonstration.generators import Generator
from p4abs_demonstration.links import LinkGone, read_counts
from p4abs_demonstration.measure.measurements import Measurements, conclude
from p4abs_demonstration.measure.phases import (
    NoSamples,
    Phase,
    Statistics,
    measure,
    schedule,
)
from p4abs_demonstration.measure.quality import FrameCounts
from p4abs_demonstration.measure.samples import Sample
from p4abs_demonstration.report.progress import Display
from p4abs_demonstration.settings import INTERVAL_S, Settings
from p4abs_demonstration.targets.provision import provision
from p4abs_demonstration.targets.running import RunningTarget, TargetError
from p4abs_demonstration.traffic import Traffic, spread

TICK_S = 0.25
LIVE_WINDOW_S = 1.0
STATIC = "static"
FAILURES = (LinkGone, LinkNotSwitched, ProcessFailed, RpcError, TargetError)

# Starts a target between the hosts: settings, network, how processes are started, folder of logs.
StartTarget = Callable[[Settings, Dumbbell, Start, Path], RunningTarget]


@dataclass(frozen=True)
class Cast:
    """Who takes part, in a network that is built.

    logs: the folder for what the processes say.
    """

    dumbbell: Dumbbell
    start_target: StartTarget
    generator: Generator
    start: Start
    logs: Path


def perform(settings: Settings, show: Display, cast: Cast) -> Measurements:
    """From a built network to what was measured in it. Raises one of FAILURES.

    Who has started the processes ends them.
    """
    flows = f"{settings.flows} flows of {cast.generator.name}"
    show.say(f"starting the {settings.target} target and {flows} ...")
    switch = cast.start_target(settings, cast.dumbbell, cast.start, cast.logs)
    if switch.note:
        show.say(switch.note)
    dumbbell = cast.dumbbell
    provision(switch.process.address, switch.program, dumbbell.stations, dumbbell.addresses)
    return _Stage(settings, show, cast, switch).perform()


class _Stage:
    """The measurements so far, and the controllers that made them."""

    def __init__(
        self, settings: Settings, show: Display, cast: Cast, switch: RunningTarget
    ) -> None:
        self._settings = settings
        self._show = show
        self._cast = cast
        self._dumbbell = cast.dumbbell
        self._switch = switch.process
        self._phases = schedule(settings.duration_s, settings.policy)
        self._traffic = Traffic(cast.generator, settings.congestion_control, cast.start, cast.logs)
        self._flows = spread(settings.flows, cast.dumbbell.pairs)
        self._samples: list[Sample] = []
        self._counts: list[FrameCounts] = []
        self._started_at = 0.0

    def perform(self) -> Measurements:
        before, *sized = self._phases
        settings = self._settings
        disturbing = disturbance.choose(settings, self._dumbbell, self._switch, self._traffic)
        with disturber(disturbing, settings.disturbance_length_s) as disturbs:
            with self._control(STATIC) as static:
                static.wait_until_in_control()
                self._show.say("p4abs control is in control, TCP begins")
                self._started_at = time.time()
                self._play([before], static, disturbs)
            with self._control(settings.policy) as sizing:
                self._play(sized, sizing, disturbs)
        results = [
            conclude(self._samples, self._counts, phase, settings.capacity_bps, INTERVAL_S)
            for phase in self._phases
        ]
        return Measurements(self._samples, results, sizing.control_loop())

    @contextlib.contextmanager
    def _control(self, policy: str) -> Iterator[Controller]:
        """Runs a controller; its last samples come when it has ended."""
        running = control.start(
            self._cast.start,
            self._settings,
            self._switch.address,
            self._dumbbell.bottleneck_port,
            policy,
            self._cast.logs,
        )
        try:
            yield running
        finally:
            running.process.end()
        self._read(running)

    def _play(self, phases: Sequence[Phase], controller: Controller, disturbs: Disturber) -> None:
        """Sets each phase's load and follows it to its end."""
        for phase in phases:
            self._traffic.run_only(self._flows[::2] if phase.half_load else self._flows)
            while (now_s := self._now_s()) < phase.end_s:
                due_s = min(disturbs.follow(now_s, phase), now_s + TICK_S, phase.end_s)
                for part in (self._switch, controller.process, self._traffic):
                    part.check_alive()
                self._read(controller)
                self._counts.append(read_counts(self._dumbbell, self._now_s()))
                self._show.show(now_s, phase, self._live(phase))
                time.sleep(max(0.0, due_s - self._now_s()))

    def _now_s(self) -> float:
        return time.time() - self._started_at

    def _read(self, controller: Controller) -> None:
        self._samples += [
            replace(sample, time_s=sample.time_s - self._started_at)
            for sample in controller.samples.read()
        ]

    def _live(self, phase: Phase) -> Statistics | None:
        """The last second with measurements."""
        if not self._samples:
            return None
        end_s = self._samples[-1].time_s
        last_second = replace(phase, start_s=end_s - LIVE_WINDOW_S, end_s=end_s)
        try:
            return measure(self._samples, last_second, self._settings.capacity_bps)
        except NoSamples:
            return None

"""One demonstration from an empty machine to its measurements, and back to an empty machine."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from p4abs.access.rpc_error import RpcError
from p4abs_switch.testbed.process import ProcessFailed

from absdemo import control, disturbance
from absdemo.control import Controller
from absdemo.disturbance import Disturber, disturber
from absdemo.dumbbell import topology
from absdemo.links import LinkGone, read_counts
from absdemo.measure.measurements import Measurements, conclude
from absdemo.measure.phases import NoSamples, Phase, Statistics, measure, schedule
from absdemo.measure.quality import FrameCounts
from absdemo.measure.samples import Sample
from absdemo.processes.interruption import ignore_signals, interruptible
from absdemo.processes.ledger import Ledger, exclusive
from absdemo.report.progress import Display
from absdemo.settings import INTERVAL_S, LOGS, Settings
from absdemo.targets import bmv2, embedded
from absdemo.targets.provision import provision
from absdemo.targets.running import RunningTarget, TargetError
from absdemo.traffic import Traffic, spread

TICK_S = 0.25
LIVE_WINDOW_S = 1.0
STATIC = "static"
FAILURES = (LinkGone, ProcessFailed, RpcError, TargetError)
TARGETS = {
    "embedded": embedded.start,
    "bmv2": bmv2.start_virtual_queue,
    "bmv2-queue": bmv2.start_queue,
}


def run(settings: Settings, show: Display) -> Measurements:
    """Runs the demonstration. Whatever happens, nothing of it is left running or configured."""
    logs = settings.results / LOGS
    with interruptible(), exclusive() as ledger, contextlib.ExitStack() as stack:
        topology.remove_leftovers()
        net = topology.create()
        stack.callback(topology.destroy, net)
        stack.callback(ledger.end_all)
        stack.callback(ignore_signals)
        show.say(f"building a dumbbell of {settings.pairs} senders and receivers ...")
        dumbbell = topology.build(net, settings.pairs, disturbance.tcp_settings(settings))
        show.say(f"starting the {settings.target} target and {settings.flows} flows ...")
        switch = TARGETS[settings.target](settings, dumbbell, ledger, logs)
        if switch.note:
            show.say(switch.note)
        provision(switch.process.address, switch.program, dumbbell.stations)
        return _Stage(settings, show, dumbbell, ledger, logs, switch).perform()


class _Stage:
    """The scheduled part: controllers and flows come and go."""

    def __init__(
        self,
        settings: Settings,
        show: Display,
        dumbbell: topology.Dumbbell,
        ledger: Ledger,
        logs: Path,
        switch: RunningTarget,
    ) -> None:
        self._settings = settings
        self._show = show
        self._dumbbell = dumbbell
        self._ledger = ledger
        self._logs = logs
        self._switch = switch.process
        self._phases = schedule(settings.duration_s, settings.policy)
        self._traffic = Traffic(ledger, settings.congestion_control, logs)
        self._flows = spread(settings.flows, dumbbell.pairs)
        self._samples: list[Sample] = []
        self._counts: list[FrameCounts] = []
        self._started_at = 0.0

    def perform(self) -> Measurements:
        before, *sized = self._phases
        settings = self._settings
        disturbing = disturbance.choose(
            settings, self._dumbbell, self._ledger, self._switch, self._traffic
        )
        with disturber(disturbing, settings.disturbance_length_s) as disturbs:
            with self._control(STATIC) as static:
                static.wait_until_in_control()
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
            self._ledger,
            self._settings,
            self._switch.address,
            self._dumbbell.bottleneck_port,
            policy,
            self._logs,
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
        """The last second that is known of."""
        if not self._samples:
            return None
        end_s = self._samples[-1].time_s
        last_second = replace(phase, start_s=end_s - LIVE_WINDOW_S, end_s=end_s)
        try:
            return measure(self._samples, last_second, self._settings.capacity_bps)
        except NoSamples:
            return None

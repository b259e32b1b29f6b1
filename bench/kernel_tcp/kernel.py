"""A load live: Linux's TCP in network namespaces, the embedded switch between them."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from p4abs_demonstration import control
from p4abs_demonstration.dumbbell import Dumbbell
from p4abs_demonstration.generators import Greedy
from p4abs_demonstration.hosts import host_settings
from p4abs_demonstration.links import read_counts
from p4abs_demonstration.measure.measurements import conclude
from p4abs_demonstration.measure.phases import Phase
from p4abs_demonstration.measure.quality import FrameCounts
from p4abs_demonstration.namespaces import network
from p4abs_demonstration.namespaces.processes import Processes
from p4abs_demonstration.settings import INTERVAL_S, UNDISTURBED, Settings
from p4abs_demonstration.stage import FAILURES
from p4abs_demonstration.targets import embedded
from p4abs_demonstration.targets.provision import provision
from p4abs_demonstration.targets.running import RunningTarget
from p4abs_demonstration.traffic import Traffic, spread

from kernel_tcp.loads import CAPACITY_BPS, DELAY_S, LOSS, STRETCHES, UTILIZATION, Load, Stretch
from kernel_tcp.rows import Row

__all__ = ["FAILURES", "measure"]

_TICK_S = 0.25


def measure(load: Load, run: int, logs: Path) -> Iterator[Row]:
    """All stretches one after the other, with flows that stay; a row as each ends.

    Takes as long as the stretches do. Raises one of FAILURES.
    """
    settings = _settings(load, logs)
    with ExitStack() as stack:
        processes = stack.enter_context(Processes())
        dumbbell = network.build(settings.pairs, host_settings(settings), processes.start, logs)
        stack.callback(network.remove, dumbbell)
        switch = embedded.start(settings, dumbbell, processes.start, logs)
        provision(switch.process.address, switch.program, dumbbell.stations)
        # Nothing but the flows themselves: iperf3's own connections starve among many of them.
        traffic = Traffic(Greedy(), load.congestion_control, processes.start, logs)
        stack.callback(traffic.run_only, ())
        for stretch in STRETCHES:
            running = control.start(
                processes.start,
                settings,
                switch.process.address,
                dumbbell.bottleneck_port,
                stretch.policy,
                logs,
                stretch.limit_bytes,
            )
            running.wait_until_in_control()
            traffic.run_only(spread(load.flows, dumbbell.pairs))
            counts = _follow(stretch, dumbbell, switch, running, traffic)
            running.process.end()
            yield _row(load, stretch, run, running, counts)


def _follow(
    stretch: Stretch,
    dumbbell: Dumbbell,
    switch: RunningTarget,
    running: control.Controller,
    traffic: Traffic,
) -> list[FrameCounts]:
    """The links' counters up to the end of the stretch, with times since 1970."""
    counts = []
    end_s = time.time() + stretch.transient_s + stretch.measured_s
    while (now_s := time.time()) < end_s:
        for part in (switch.process, running.process, traffic):
            part.check_alive()
        counts.append(read_counts(dumbbell, now_s))
        time.sleep(_TICK_S)
    return counts


def _row(
    load: Load, stretch: Stretch, run: int, running: control.Controller, counts: list[FrameCounts]
) -> Row:
    end_s = counts[-1].time_s
    phase = Phase(stretch.name, stretch.name, counts[0].time_s, end_s - stretch.measured_s, end_s)
    result = conclude(running.samples.read(), counts, phase, CAPACITY_BPS, INTERVAL_S)
    found = result.statistics
    if found is None:
        return Row.without_result(load, stretch, run, result.quality.reason() or "no samples")
    return Row.of(load, stretch, run, found.utilization, found.loss, found.mean_limit_bytes)


def _settings(load: Load, logs: Path) -> Settings:
    return Settings(
        target="embedded",
        flows=load.flows,
        capacity_bps=CAPACITY_BPS,
        capacity_declared_bps=CAPACITY_BPS,
        delay_s=DELAY_S,
        duration_s=sum(each.transient_s + each.measured_s for each in STRETCHES),
        congestion_control=load.congestion_control,
        utilization=UTILIZATION,
        loss=LOSS,
        policy="abs",
        disturb=UNDISTURBED,
        results=logs,
    )

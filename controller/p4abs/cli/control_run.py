"""One run of `p4abs control`: the controller, those who watch it, and the signals that end it."""

import asyncio
import gc
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

from p4abs.access.program import Program
from p4abs.clock import MonotonicClock
from p4abs.config import Settings
from p4abs.control import LoopStatistics, Sample
from p4abs.errors import UserError
from p4abs.session import SwitchController
from p4abs.telemetry import (
    Metrics,
    MetricsAddress,
    PortMeter,
    SampleFile,
    Summary,
    View,
    Watched,
    open_sample_file,
    serve_metrics,
    summarize,
)


class _Watchers:
    """Hands on what the controller tells: to the file, the metrics, the meters and the view."""

    def __init__(self, settings: Settings, view: View) -> None:
        self.meters = {port.number: PortMeter() for port in settings.port}
        self.watched: Watched | None = None
        self.samples: SampleFile | None = None
        self.metrics: Metrics | None = None
        self._view = view

    def announce(self, line: str) -> None:
        """See Events."""
        self._view.announce(line)
        self._update(now=True)

    def sample(self, sample: Sample) -> None:
        """See Events."""
        self.meters[sample.port].add(sample)
        if self.samples is not None:
            self.samples.write(sample)
        if self.metrics is not None:
            self.metrics.sample(sample)

    def tick(self) -> None:
        """See Events."""
        if self.metrics is not None:
            self.metrics.tick()
        self._update(now=False)

    def _update(self, now: bool) -> None:
        if self.watched is not None:
            self._view.update(self.watched, now)


async def run_control(
    settings: Settings,
    program: Program | None,
    view: View,
    samples_path: Path | None,
    summary_path: Path | None,
    metrics_address: MetricsAddress | None,
    duration_s: float | None,
) -> int:
    """Controls until SIGINT, SIGTERM or the duration's end; returns the exit status.

    Raises UserError and Unreachable; see SwitchController.
    """
    clock = MonotonicClock()
    watchers = _Watchers(settings, view)
    controller = SwitchController(
        settings, program, watchers, clock, epoch_s=time.time() - clock.now_s()
    )
    watchers.watched = Watched(settings, controller, watchers.meters)
    with ExitStack() as outputs:
        if metrics_address is not None:
            watchers.metrics = Metrics(settings, controller)
            outputs.enter_context(_serve(metrics_address, watchers.metrics, watchers.announce))
        if samples_path is not None:
            watchers.samples = outputs.enter_context(open_sample_file(samples_path))
        summary_file = None
        if summary_path is not None:
            summary_file = outputs.enter_context(_create(summary_path))
        left_well = await _run_watched(controller, view, duration_s)
        summary = _summary(controller, watchers)
        if summary_file is not None:
            summary_file.write(summary.to_json())
    view.conclude(summary)
    return 0 if left_well else 1


@contextmanager
def _serve(
    address: MetricsAddress, metrics: Metrics, announce: Callable[[str], None]
) -> Iterator[None]:
    """Serves metrics until the block ends. Raises UserError when the address cannot be had."""
    running = asyncio.get_running_loop()

    def say(line: str) -> None:
        running.call_soon_threadsafe(announce, line)

    with serve_metrics(address, metrics, say) as url:
        announce(f"metrics: {url}")
        yield


async def _run_watched(controller: SwitchController, view: View, duration_s: float | None) -> bool:
    stop = asyncio.Event()
    running = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        running.add_signal_handler(number, stop.set)
    if duration_s is not None:
        running.call_later(duration_s, stop.set)
    # What has been loaded stays: a collector that does not walk it again pauses the loop less.
    gc.freeze()
    view.start()
    try:
        return await controller.run(stop)
    finally:
        view.stop()


def _summary(controller: SwitchController, watchers: _Watchers) -> Summary:
    loop = controller.loop
    return summarize(
        controller.register_path,
        LoopStatistics() if loop is None else loop.statistics,
        {number: meter.totals() for number, meter in watchers.meters.items()},
    )


def _create(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None

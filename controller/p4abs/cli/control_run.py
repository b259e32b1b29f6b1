"""One run of `p4abs control`: controllers and views, and the signals that end or reload it."""

import asyncio
import gc
import signal
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from p4abs.cli.fleet_run import FleetRun, Load, reload
from p4abs.cli.outputs import Outputs
from p4abs.clock import Clock, MonotonicClock
from p4abs.errors import P4absError, UserError
from p4abs.files import append_binary, create_text
from p4abs.service import ServiceManager
from p4abs.session import Message, NotLeftWell, Replica
from p4abs.telemetry import (
    Board,
    Fleet,
    Metrics,
    Releasing,
    SampleFile,
    View,
    open_sample_file,
    summarize,
)


async def run_control(
    load: Load,
    view: View,
    outputs: Outputs,
    duration_s: float | None,
    replica: Replica | None = None,
) -> int:
    """Controls until SIGINT, SIGTERM or the duration's end; returns the exit status.

    `load` gives the settings, again at each SIGHUP. `replica`: see FleetRun. Raises
    UserError and P4absError when no switch can be controlled, see SwitchController; P4absError
    where the summary cannot be written at the end.
    """
    clock = MonotonicClock()
    run = FleetRun(load(), clock, replica)
    fleet = run.fleet
    fleet.watchers.append(view)
    with ExitStack() as stack:
        metrics = Metrics(fleet)
        # Without an address to serve, the server need not be imported.
        if outputs.metrics is not None:
            from p4abs.telemetry.metrics.server import serve_metrics

            serving = serve_metrics(outputs.metrics, metrics, _later(fleet))
            fleet.announce(Message(f"metrics: {stack.enter_context(serving)}"))
            fleet.watchers.append(metrics)
        if outputs.web is not None:
            from p4abs.telemetry.web.application import serve_web

            board = Board(fleet, fleet.now_s)
            releasing = Releasing(fleet, asyncio.get_running_loop())
            serving = serve_web(outputs.web, board, _later(fleet), releasing)
            fleet.announce(Message(f"web page: {stack.enter_context(serving)}"))
            fleet.watchers.append(board)
        samples = _samples(outputs, fleet)
        if samples is not None:
            fleet.watchers.append(stack.enter_context(samples))
            metrics.samples = samples
        if outputs.summary is not None:
            _check_writable(outputs.summary)
        view.start(fleet)
        try:
            failures = await _run_supervised(run, load, clock, duration_s, samples)
        finally:
            view.stop()
        _raise_if_all_failed(fleet, failures)
    summary = summarize(fleet)
    view.conclude(summary)
    status = _status(fleet, failures)
    if outputs.summary is not None:
        _write(outputs.summary, summary.to_json())
    return status


def _samples(outputs: Outputs, fleet: Fleet) -> SampleFile | None:
    """Raises UserError."""
    if outputs.samples is None:
        return None
    return open_sample_file(
        outputs.samples,
        partial(_tell_trouble, fleet),
        outputs.rotation,
        lambda: fleet.stepped_s,
    )


def _tell_trouble(fleet: Fleet, line: str) -> None:
    fleet.announce(Message(line, is_trouble=True))


def _tell_unexpected(fleet: Fleet, context: dict[str, Any]) -> None:
    """Reports an exception of a callback of the event loop, which nothing else reports."""
    if isinstance(error := context.get("exception"), Exception):
        fleet.watchers.report_defect(error, "p4abs")


def _later(fleet: Fleet) -> Callable[[str], object]:
    """For threads of servers: the control loops' thread announces it."""
    running = asyncio.get_running_loop()
    return lambda line: running.call_soon_threadsafe(_tell_trouble, fleet, line)


async def _run_supervised(
    run: FleetRun,
    load: Load,
    clock: Clock,
    duration_s: float | None,
    samples: SampleFile | None,
) -> dict[str, P4absError]:
    """Controls until something ends it; see FleetControl."""
    running, manager = asyncio.get_running_loop(), ServiceManager()
    reload_asked = asyncio.Event()

    def hang_up() -> None:
        if samples is not None:
            samples.reopen()
        reload_asked.set()

    running.set_exception_handler(lambda _, context: _tell_unexpected(run.fleet, context))
    for number in (signal.SIGINT, signal.SIGTERM):
        running.add_signal_handler(number, run.control.end)
    running.add_signal_handler(signal.SIGHUP, hang_up)
    # A signal that came while control was starting is delivered now (__main__.py).
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGHUP})
    if duration_s is not None:
        running.call_later(duration_s, run.control.end)
    # The loaded objects stay. If the garbage collector does not walk them again, it pauses the loop
    # for less time.
    gc.freeze()
    async with asyncio.TaskGroup() as group:
        beside = [
            group.create_task(manager.feed_watchdog(clock)),
            group.create_task(_reload_when(reload_asked, run, load, manager)),
        ]
        manager.ready()
        failures = await run.run()
        manager.stopping()
        for task in beside:
            task.cancel()
    return failures


async def _reload_when(
    asked: asyncio.Event, run: FleetRun, load: Load, manager: ServiceManager
) -> NoReturn:
    while True:
        await asked.wait()
        asked.clear()
        manager.reloading()
        await reload(run, load)
        manager.ready()


def _raise_if_all_failed(fleet: Fleet, failures: Mapping[str, P4absError]) -> None:
    """Raises what kept every switch from being controlled; UserError if the user has to act."""
    if len(failures) < len(fleet.switches):
        return
    if any(isinstance(error, NotLeftWell) for error in failures.values()):
        return
    is_refusal = all(isinstance(error, UserError) for error in failures.values())
    raise (UserError if is_refusal else P4absError)(_told(failures))


def _status(fleet: Fleet, failures: Mapping[str, P4absError]) -> int:
    """The exit status; with several switches, those that failed are named once more."""
    if failures and len(fleet.switches) > 1:
        text = f"{len(failures)} of {len(fleet.switches)} switches failed: {_told(failures)}"
        fleet.announce(Message(text, is_trouble=True))
    return 1 if failures else 0


def _told(failures: Mapping[str, P4absError]) -> str:
    return "; ".join(f"{name}: {error}" for name, error in failures.items())


def _check_writable(path: Path) -> None:
    """Checks that the file can be written. An earlier run's content stays until this run ends.

    Raises UserError."""
    try:
        append_binary(path).close()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None


def _write(path: Path, text: str) -> None:
    """Raises P4absError."""
    try:
        with create_text(path) as file:
            file.write(text)
    except OSError as error:
        raise P4absError(f"{path}: {error.strerror}") from None

"""One run of `p4abs control`: the controllers, those who follow them, the signals that end it."""

import asyncio
import gc
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

from p4abs.access.program import Program, load_program
from p4abs.clock import Clock, MonotonicClock
from p4abs.config import Settings, SwitchSettings
from p4abs.errors import P4absError, UserError
from p4abs.session import (
    Events,
    FirstAnswer,
    NotLeftWell,
    SwitchController,
    control_fleet,
)
from p4abs.telemetry import (
    Fleet,
    ListenAddress,
    Metrics,
    View,
    open_sample_file,
    serve_metrics,
    summarize,
)


async def run_control(
    settings: Settings,
    view: View,
    samples_path: Path | None,
    summary_path: Path | None,
    metrics_address: ListenAddress | None,
    duration_s: float | None,
) -> int:
    """Controls until SIGINT, SIGTERM or the duration's end; returns the exit status.

    Raises UserError and P4absError when no switch can be controlled; see SwitchController.
    """
    fleet = make_fleet(settings, MonotonicClock())
    fleet.watchers.append(view)
    with ExitStack() as outputs:
        if metrics_address is not None:
            outputs.enter_context(_serve(metrics_address, fleet))
        if samples_path is not None:
            fleet.watchers.append(outputs.enter_context(open_sample_file(samples_path)))
        summary_file = None
        if summary_path is not None:
            summary_file = outputs.enter_context(_create(summary_path))
        failures = await _run_watched(fleet, view, duration_s)
        summary = summarize(fleet)
        if summary_file is not None:
            summary_file.write(summary.to_json())
    view.conclude(summary)
    return _status(fleet, failures)


def make_fleet(settings: Settings, clock: Clock) -> Fleet:
    """The controllers of all switches, spread over the interval. Raises UserError."""
    fleet, count = Fleet(), len(settings.switch)
    first_answer, epoch_s = FirstAnswer(clock), time.time() - clock.now_s()
    programs = _programs(settings)
    for index, switch in enumerate(settings.switch):

        def make_controller(
            events: Events, switch: SwitchSettings = switch, phase: float = index / count
        ) -> SwitchController:
            program = None if switch.push_pipeline is None else programs[switch.push_pipeline]
            try:
                return SwitchController(
                    switch, program, events, clock, epoch_s, phase, first_answer
                )
            except UserError as error:
                raise UserError(f"{switch.name}: {error}") from None

        fleet.add(switch, make_controller)
    return fleet


def _programs(settings: Settings) -> dict[str, Program]:
    names = {switch.push_pipeline for switch in settings.switch}
    return {name: load_program(name) for name in names if name is not None}


@contextmanager
def _serve(address: ListenAddress, fleet: Fleet) -> Iterator[None]:
    """Serves metrics until the block ends. Raises UserError when the address cannot be had."""
    running = asyncio.get_running_loop()
    metrics = Metrics(fleet)

    def say(line: str) -> None:
        running.call_soon_threadsafe(fleet.announce, line)

    with serve_metrics(address, metrics, say) as url:
        fleet.watchers.append(metrics)
        fleet.announce(f"metrics: {url}")
        yield


async def _run_watched(fleet: Fleet, view: View, duration_s: float | None) -> dict[str, P4absError]:
    stop = asyncio.Event()
    running = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        running.add_signal_handler(number, stop.set)
    if duration_s is not None:
        running.call_later(duration_s, stop.set)
    # What has been loaded stays: a collector that does not walk it again pauses the loop less.
    gc.freeze()
    controllers = {name: switch.controller for name, switch in fleet.switches.items()}
    view.start(fleet)
    try:
        failures = await control_fleet(controllers, stop, fleet.announce)
    finally:
        view.stop()
    _raise_if_all_failed(fleet, failures)
    return failures


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
        fleet.announce(
            f"{len(failures)} of {len(fleet.switches)} switches failed: {_told(failures)}"
        )
    return 1 if failures else 0


def _told(failures: Mapping[str, P4absError]) -> str:
    return "; ".join(f"{name}: {error}" for name, error in failures.items())


def _create(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None

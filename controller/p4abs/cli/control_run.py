"""One run of `p4abs control`: the controllers, those who follow them, the signals that end it."""

import asyncio
import gc
import signal
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn, TextIO

from p4abs.cli.reload import Load, reload
from p4abs.clock import Clock, MonotonicClock
from p4abs.config import Settings, SwitchSettings
from p4abs.errors import P4absError, UserError
from p4abs.service import ServiceManager, service_manager
from p4abs.session import (
    Candidacy,
    Events,
    FirstAnswer,
    Message,
    NotLeftWell,
    Replica,
    SwitchController,
    control_fleet,
)
from p4abs.targets import TargetKind, TargetProgram, target_of
from p4abs.telemetry import (
    Board,
    Fleet,
    ListenAddress,
    Metrics,
    View,
    WebAccess,
    open_sample_file,
    serve_metrics,
    serve_web,
    summarize,
)


@dataclass(frozen=True)
class Outputs:
    """Where a run leaves what it measures besides its view; None: nowhere."""

    samples: Path | None = None
    summary: Path | None = None
    metrics: ListenAddress | None = None
    web: WebAccess | None = None


async def run_control(
    load: Load,
    view: View,
    outputs: Outputs,
    duration_s: float | None,
    replica: Replica | None = None,
) -> int:
    """Controls until SIGINT, SIGTERM or the duration's end; returns the exit status.

    `load` gives the settings, again at each SIGHUP. `replica`: see make_fleet(). Raises
    UserError and P4absError when no switch can be controlled; see SwitchController.
    """
    clock = MonotonicClock()
    fleet = make_fleet(load(), clock, replica)
    fleet.watchers.append(view)
    with ExitStack() as stack:
        if outputs.metrics is not None:
            metrics = Metrics(fleet)
            serving = serve_metrics(outputs.metrics, metrics, _later(fleet))
            fleet.announce(Message(f"metrics: {stack.enter_context(serving)}"))
            fleet.watchers.append(metrics)
        if outputs.web is not None:
            epoch_s = time.time() - clock.now_s()
            board = Board(fleet, lambda: epoch_s + clock.now_s())
            serving = serve_web(outputs.web, board, _later(fleet))
            fleet.announce(Message(f"web page: {stack.enter_context(serving)}"))
            fleet.watchers.append(board)
        if outputs.samples is not None:
            file = open_sample_file(outputs.samples, partial(_tell_trouble, fleet))
            fleet.watchers.append(stack.enter_context(file))
        summary_file = None
        if outputs.summary is not None:
            summary_file = stack.enter_context(_create(outputs.summary))
        view.start(fleet)
        try:
            failures = await _run_supervised(fleet, load, clock, duration_s)
        finally:
            view.stop()
        _raise_if_all_failed(fleet, failures)
        summary = summarize(fleet)
        if summary_file is not None:
            summary_file.write(summary.to_json())
    view.conclude(summary)
    return _status(fleet, failures)


def make_fleet(settings: Settings, clock: Clock, replica: Replica | None = None) -> Fleet:
    """The controllers of all switches, spread over the interval. Raises UserError.

    `replica` is which of several processes with these settings this one is.
    """
    fleet, count = Fleet(), len(settings.switch)
    first_answer, epoch_s = FirstAnswer(clock), time.time() - clock.now_s()
    programs = _programs(settings)
    for index, switch in enumerate(settings.switch):

        def make_controller(
            events: Events, switch: SwitchSettings = switch, index: int = index
        ) -> SwitchController:
            program = programs.get((switch.target, switch.push_pipeline))
            try:
                return SwitchController(
                    switch,
                    program,
                    events,
                    clock,
                    epoch_s,
                    index / count,
                    first_answer,
                    Candidacy(replica, index),
                )
            except UserError as error:
                raise UserError(f"{switch.name}: {error}") from None

        fleet.add(switch, make_controller)
    return fleet


def _programs(settings: Settings) -> dict[tuple[TargetKind, str | None], TargetProgram]:
    """What is to be pushed, once for all switches alike."""
    wanted = {(switch.target, switch.push_pipeline) for switch in settings.switch}
    return {(kind, name): target_of(kind).load(name) for kind, name in wanted if name is not None}


def _tell_trouble(fleet: Fleet, line: str) -> None:
    fleet.announce(Message(line, is_trouble=True))


def _later(fleet: Fleet) -> Callable[[str], object]:
    """For threads of servers: the control loops' thread announces it."""
    running = asyncio.get_running_loop()
    return lambda line: running.call_soon_threadsafe(_tell_trouble, fleet, line)


async def _run_supervised(
    fleet: Fleet, load: Load, clock: Clock, duration_s: float | None
) -> dict[str, P4absError]:
    """Controls until something ends it; see control_fleet."""
    running, manager = asyncio.get_running_loop(), service_manager()
    stop, reload_asked = asyncio.Event(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        running.add_signal_handler(number, stop.set)
    running.add_signal_handler(signal.SIGHUP, reload_asked.set)
    if duration_s is not None:
        running.call_later(duration_s, stop.set)
    # What has been loaded stays: a collector that does not walk it again pauses the loop less.
    gc.freeze()
    async with asyncio.TaskGroup() as group:
        beside = [
            group.create_task(manager.show_life(clock)),
            group.create_task(_reload_when(reload_asked, fleet, load, manager)),
        ]
        manager.ready()
        controllers = {name: switch.controller for name, switch in fleet.switches.items()}
        failures = await control_fleet(controllers, stop, fleet.announce)
        manager.stopping()
        for task in beside:
            task.cancel()
    return failures


async def _reload_when(
    asked: asyncio.Event, fleet: Fleet, load: Load, manager: ServiceManager
) -> NoReturn:
    while True:
        await asked.wait()
        asked.clear()
        manager.reloading()
        await reload(fleet, load)
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


def _create(path: Path) -> TextIO:
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None

"""A controller of one switch at work, and what it tells, kept."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from p4abs.clock import MonotonicClock
from p4abs.config import SwitchSettings
from p4abs.control import Sample, Samples
from p4abs.session import Message, SwitchController


@dataclass
class Recorder:
    """The Events of a test (p4abs/session/events.py)."""

    lines: list[str] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    ticks: int = 0

    def announce(self, message: Message) -> None:
        self.lines.append(str(message))

    def sampled(self, samples: Samples) -> None:
        self.samples.extend(samples)

    def tick(self) -> None:
        self.ticks += 1

    def said(self, text: str) -> bool:
        return any(text in line for line in self.lines)


class Stopping(Recorder):
    """Stops control with the first message."""

    def __init__(self, stop: asyncio.Event) -> None:
        super().__init__()
        self._stop = stop

    def announce(self, message: Message) -> None:
        super().announce(message)
        self._stop.set()


@dataclass
class AtWork:
    """In a task of its own."""

    controller: SwitchController
    events: Recorder
    stop: asyncio.Event
    task: asyncio.Task[bool]

    async def end(self) -> bool:
        self.stop.set()
        return await self.task


@asynccontextmanager
async def at_work(settings: SwitchSettings, program: Any = None):
    """It is told to stop at the end of the block, which waits for it."""
    events, stop = Recorder(), asyncio.Event()
    controller = SwitchController(settings, program, events, MonotonicClock())
    task = asyncio.create_task(controller.run(stop))
    try:
        yield AtWork(controller, events, stop, task)
    finally:
        stop.set()
        await asyncio.wait([task])

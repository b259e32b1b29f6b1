"""A controller at work on a stand-in."""

import asyncio
from contextlib import asynccontextmanager
from typing import Any

from p4abs.config import Source, SwitchSettings, load_settings
from p4abs.session import SwitchController

from controller.tests.recorder import Recorder, at_work


def settings_of(*ports: dict[str, Any], **switch: Any) -> SwitchSettings:
    tables = {"switch": {"interval": "5ms", **switch}, "port": list(ports)}
    (settings,) = load_settings(Source(tables), {}).switch
    return settings


@asynccontextmanager
async def controlling(settings: SwitchSettings, program: Any = None):
    """The controller, what it tells, and its task; it is told to stop at the end."""
    async with at_work(settings, program) as run:
        yield run.controller, run.events, run.task


async def refused(settings: SwitchSettings, program: Any = None) -> None:
    """Controls; what is not refused ends with TimeoutError."""
    async with asyncio.timeout(60):
        await SwitchController(settings, program, Recorder(), Unhurried()).run(asyncio.Event())


class Unhurried:
    """A clock that never waits."""

    def now_s(self) -> float:
        return 0.0

    async def sleep_until(self, _deadline_s: float) -> None:
        await asyncio.sleep(0)

"""All switches of a run, each controlled by itself: what ails one is no matter to the others."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from p4abs.errors import P4absError
from p4abs.session.controller import SwitchController
from p4abs.session.message import Message


class NotLeftWell(P4absError):
    """Control has ended, and nobody knows safe limits to be in force."""


@dataclass
class _Controlled:
    """A switch's controller at work, and what ends it."""

    task: asyncio.Task[None]
    stop: asyncio.Event


class FleetControl:
    """Control of switches, which may come and go. `failures` says by name why one has failed."""

    def __init__(self, announce: Callable[[Message], None]) -> None:
        self.failures: dict[str, P4absError] = {}
        self.is_ending = False
        self._announce = announce
        self._controlled: dict[str, _Controlled] = {}
        self._group = asyncio.TaskGroup()

    async def run(self, controllers: Mapping[str, SwitchController]) -> dict[str, P4absError]:
        """Controls until end(), or until control of every switch has failed; returns `failures`.

        Anything but a P4absError is a defect, and ends control of all switches.
        """
        async with self._group:
            self._begin(controllers)
        return self.failures

    def end(self) -> None:
        """Ends control of all switches."""
        self.is_ending = True
        for each in self._controlled.values():
            each.stop.set()

    async def replace(
        self, gone: Collection[str], come: Callable[[], Mapping[str, SwitchController]]
    ) -> bool:
        """Ends control of some switches and then begins that of others; whether it came to that.

        It does not where the run ends.
        """
        if all(each.task.done() for each in self._controlled.values()):
            return False
        # A task of the group, which does not end before it has begun what comes.
        return await self._group.create_task(self._replace(gone, come))

    async def _replace(
        self, gone: Collection[str], come: Callable[[], Mapping[str, SwitchController]]
    ) -> bool:
        ending = [self._controlled[name] for name in gone]
        for each in ending:
            each.stop.set()
        await asyncio.gather(*(each.task for each in ending))
        if self.is_ending:
            return False
        for name in gone:
            del self._controlled[name]
            self.failures.pop(name, None)
        self._begin(come())
        return True

    def _begin(self, controllers: Mapping[str, SwitchController]) -> None:
        for name, controller in controllers.items():
            stop = asyncio.Event()
            if self.is_ending:
                stop.set()
            task = self._group.create_task(self._control(name, controller, stop))
            self._controlled[name] = _Controlled(task, stop)

    async def _control(self, name: str, controller: SwitchController, stop: asyncio.Event) -> None:
        try:
            if not await controller.run(stop):
                self.failures[name] = NotLeftWell("was not left with safe limits")
        except P4absError as error:
            self.failures[name] = error
            if len(self.failures) < len(self._controlled):
                self._announce(Message(f"given up: {error}", name, is_trouble=True))

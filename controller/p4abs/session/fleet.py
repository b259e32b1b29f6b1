"""All switches of a run, each controlled by itself. A failure of one does not affect the others."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from p4abs.errors import P4absError
from p4abs.session.controller import SwitchController
from p4abs.session.events import Message


class NotLeftWell(P4absError):
    """Control has ended, and safe limits may not be in force."""


@dataclass
class _Controlled:
    """The controller of a switch, and the event that ends it."""

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
        self._end_asked = asyncio.Event()
        self._waiting: asyncio.Task[object] | None = None

    async def run(self, controllers: Mapping[str, SwitchController]) -> dict[str, P4absError]:
        """Controls until end(), or until control of every switch has failed; returns `failures`.

        After replace() it goes on without a switch, too: who has changed the settings of a service
        for worse can change them again.
        """
        async with self._group:
            self._begin(controllers)
        return self.failures

    def end(self) -> None:
        self.is_ending = True
        self._end_asked.set()
        for each in self._controlled.values():
            each.stop.set()

    async def replace(
        self,
        gone: Collection[str],
        come: Callable[[], Mapping[str, SwitchController]],
        awaited: Mapping[str, Collection[str]],
    ) -> bool:
        """Ends control of some switches and begins that of others; whether it came to that.

        It does not where the run ends. Each that comes waits for those of the gone ones only that
        are `awaited` by its name; what is returned waits for all of them.
        """
        has_ended = all(each.task.done() for each in self._controlled.values())
        if self.is_ending or (has_ended and self._waiting is None):
            return False
        if self._waiting is None:
            self._waiting = self._group.create_task(self._end_asked.wait())
        ending = {name: self._controlled.pop(name) for name in gone}
        for name, each in ending.items():
            self.failures.pop(name, None)
            each.stop.set()
        before = {name: [ending[one].task for one in every] for name, every in awaited.items()}
        self._begin(come(), before)
        await asyncio.gather(*(each.task for each in ending.values()))
        return not self.is_ending

    def _begin(
        self,
        controllers: Mapping[str, SwitchController],
        before: Mapping[str, Collection[asyncio.Task[None]]] = {},
    ) -> None:
        for name, controller in controllers.items():
            stop = asyncio.Event()
            working = self._control(name, controller, stop, before.get(name, ()))
            self._controlled[name] = _Controlled(self._group.create_task(working), stop)

    async def _control(
        self,
        name: str,
        controller: SwitchController,
        stop: asyncio.Event,
        before: Collection[asyncio.Task[None]],
    ) -> None:
        if before:
            await asyncio.wait(before)
        try:
            # It has not taken over the ports that other controllers left to it.
            has_begun = not (before and stop.is_set())
            if not (has_begun and await controller.run(stop)):
                self._fail(name, stop, NotLeftWell("was not left with safe limits"))
        except P4absError as error:
            is_news = self._fail(name, stop, error)
            is_last = len(self.failures) == len(self._controlled) and self._waiting is None
            if is_news and not is_last:
                self._announce(Message(f"given up: {error}", name, is_trouble=True))
        except Exception as defect:
            self._announce(Message.of_defect(defect, "given up; please report it", name))
            self._fail(name, stop, NotLeftWell("a defect has ended control"))

    def _fail(self, name: str, stop: asyncio.Event, error: P4absError) -> bool:
        """Notes a failure, unless another controller has the name by now; whether it did."""
        present = self._controlled.get(name)
        is_present = present is not None and present.stop is stop
        if is_present:
            self.failures[name] = error
        return is_present

"""All switches of a run, each controlled by itself: what ails one is no matter to the others."""

import asyncio
from collections.abc import Callable, Mapping

from p4abs.errors import P4absError
from p4abs.session.controller import SwitchController
from p4abs.session.message import Message


class NotLeftWell(P4absError):
    """Control has ended, and nobody knows safe limits to be in force."""


async def control_fleet(
    controllers: Mapping[str, SwitchController],
    stop: asyncio.Event,
    announce: Callable[[Message], None],
) -> dict[str, P4absError]:
    """Controls until `stop`, or until control of every switch has failed; returns why, by name.

    Anything but a P4absError is a defect, and ends control of all switches.
    """
    failures: dict[str, P4absError] = {}

    async def control(name: str, controller: SwitchController) -> None:
        try:
            if not await controller.run(stop):
                failures[name] = NotLeftWell("was not left with safe limits")
        except P4absError as error:
            failures[name] = error
            if len(failures) < len(controllers):
                announce(Message(f"given up: {error}", name, is_trouble=True))

    async with asyncio.TaskGroup() as group:
        for name, controller in controllers.items():
            group.create_task(control(name, controller))
    return failures

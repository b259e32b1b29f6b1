"""The configuration, read again while its switches are controlled."""

import asyncio
from collections.abc import Callable

from p4abs.cli.fleet_run import FleetRun
from p4abs.config import Settings
from p4abs.errors import UserError
from p4abs.session import Message

Load = Callable[[], Settings]


async def reload(run: FleetRun, load: Load) -> None:
    """Puts in force what has changed, on all switches or on none, and says so."""
    announce = run.fleet.announce
    try:
        # Beside the control loops, which many ports would keep waiting.
        changes = await asyncio.to_thread(lambda: run.changes_to(load()))
    except UserError as error:
        text = f"configuration not taken over, nothing has changed: {error}"
        announce(Message(text, is_trouble=True))
        return
    if await run.carry_out(changes):
        announce(Message(f"configuration taken over; {changes.text}"))

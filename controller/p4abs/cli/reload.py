"""The configuration, read again while its switches are controlled."""

import asyncio
from collections.abc import Callable

from p4abs.config import Settings
from p4abs.errors import UserError
from p4abs.session import Message
from p4abs.telemetry import Fleet

Load = Callable[[], Settings]


async def reload(fleet: Fleet, load: Load) -> None:
    """Puts in force what has changed, on all switches or on none, and says so."""
    try:
        # Beside the control loops, which many ports would keep waiting.
        settings = await asyncio.to_thread(load)
        _check(fleet, settings)
    except UserError as error:
        text = f"configuration not taken over, nothing has changed: {error}"
        fleet.announce(Message(text, is_trouble=True))
        return
    changed = [
        switch.name for switch in settings.switch if switch != fleet.switches[switch.name].settings
    ]
    for switch in settings.switch:
        fleet.switches[switch.name].adopt(switch)
        # A switch with many ports at a time: the loops go on in between.
        await asyncio.sleep(0)
    fleet.announce(Message(f"configuration taken over; changed: {', '.join(changed) or 'nothing'}"))


def _check(fleet: Fleet, settings: Settings) -> None:
    """Raises UserError for what cannot change under control."""
    added_or_gone = fleet.switches.keys() ^ {switch.name for switch in settings.switch}
    if added_or_gone:
        raise UserError(
            f"{min(added_or_gone)}: which switches there are cannot change under control: "
            "end the controller and start it anew"
        )
    for switch in settings.switch:
        try:
            fleet.switches[switch.name].controller.check_adoptable(switch)
        except UserError as error:
            raise UserError(f"{switch.name}: {error}") from None

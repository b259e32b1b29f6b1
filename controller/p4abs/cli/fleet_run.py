"""The switches of a run under control, from the first settings on and with others later."""

import asyncio
import time
from collections.abc import Callable, Mapping

from p4abs.cli.changes import Changes, Switches, find_changes
from p4abs.cli.switch_maker import SwitchMaker, load_programs
from p4abs.clock import Clock
from p4abs.config import Settings
from p4abs.errors import P4absError, UserError
from p4abs.session import FleetControl, Message, Replica, SwitchController
from p4abs.telemetry import Configuration, Fleet

Load = Callable[[], Settings]


class FleetRun:
    """Controls all switches, spread over the interval.

    `replica` is which of several processes with these settings this one is. Raises UserError.
    """

    def __init__(self, settings: Settings, clock: Clock, replica: Replica | None = None) -> None:
        epoch_s = time.time() - clock.now_s()
        self.fleet = Fleet(lambda: epoch_s + clock.now_s())
        self.fleet.configuration = Configuration.of(settings, self.fleet.now_s())
        self.control = FleetControl(self.fleet.announce)
        self._maker = SwitchMaker(self.fleet, clock, epoch_s, replica)
        programs, count = load_programs(settings), len(settings.switch)
        for index, switch in enumerate(settings.switch):
            self.fleet.add(self._maker.make(switch, programs, index, index / count))

    async def run(self) -> dict[str, P4absError]:
        return await self.control.run(_controllers(self.fleet.switches))

    def changes_to(self, settings: Settings) -> Changes:
        """What these settings mean; changes nothing. Raises UserError.

        It takes a while with many ports, and may be called in a thread of its own.
        """
        return find_changes(self.fleet.switches, self.control.failures, settings, self._maker)

    async def carry_out(self, changes: Changes) -> bool:
        """Puts the new settings in force, unless the run ends. Other switches do not affect those
        that stay."""
        present = self.fleet.switches
        for name, settings in changes.adopted.items():
            present[name].adopt(settings)
            # A switch with many ports at a time: the loops go on in between.
            await asyncio.sleep(0)

        def begin() -> Mapping[str, SwitchController]:
            # Not earlier: if the change does not happen, these switches leave safe limits.
            for name, heir in changes.ended.items():
                if heir is not None:
                    present[name].controller.hand_over(heir.controller)
            every = {**present, **changes.begun}
            self.fleet.show(every[name] for name in changes.order)
            return _controllers(changes.begun)

        return await self.control.replace(changes.ended, begin, changes.awaited)


def _controllers(switches: Switches) -> dict[str, SwitchController]:
    return {name: switch.controller for name, switch in switches.items()}


async def reload(run: FleetRun, load: Load) -> None:
    """Puts all changed settings in force, or none, and reports which."""
    fleet, announce = run.fleet, run.fleet.announce

    def read() -> tuple[Settings, Changes]:
        settings = load()
        return settings, run.changes_to(settings)

    try:
        # In a thread, because many ports would make the control loops wait.
        settings, changes = await asyncio.to_thread(read)
    except UserError as error:
        fleet.configuration = fleet.configuration.refused()
        text = f"configuration not taken over, nothing has changed: {error}"
        announce(Message(text, is_trouble=True))
        return
    except Exception as defect:
        fleet.configuration = fleet.configuration.refused()
        what, kept = "configuration not taken over: ", "nothing has changed; please report it"
        announce(Message.of_defect(defect, kept, what=what))
        return
    try:
        if await run.carry_out(changes):
            fleet.configuration = Configuration.of(settings, fleet.now_s())
            announce(Message(f"new configuration in force; {changes.text}"))
    except Exception as defect:
        fleet.configuration = fleet.configuration.refused()
        what, left = "new configuration in force in part: ", "please report it, and restart p4abs"
        announce(Message.of_defect(defect, left, what=what))

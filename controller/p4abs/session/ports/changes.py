"""Ports that come to a switch and that leave it, while its other ports stay under control."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from p4abs.config import PortSettings, SwitchSettings
from p4abs.control import ControlledPort, ControlLoop, Hold, Samples, SwitchControl
from p4abs.measurements import Snapshot
from p4abs.session.events import Announcer, limits_text
from p4abs.session.ports.controls import capacities, is_lent, make_port
from p4abs.session.ports.first_limits import FirstLimits
from p4abs.session.ports.releases import CONFIRM_S, affordable
from p4abs.session.prepare import Configuring


@dataclass(slots=True)
class _Leaving:
    """A port that is held by its safe limit until the switch shows it, for so many looks."""

    port: ControlledPort
    limit_bytes: int
    looks: int


class PortChanges:
    """Port changes of one switch, written and read with the exchanges of the control loop.

    A port that comes is only read until the first answer, which gives its first limit. A port that
    leaves is held by its safe limit until the switch shows that limit.
    """

    def __init__(
        self,
        first_limits: FirstLimits,
        configuring: Configuring,
        announcer: Announcer,
    ) -> None:
        self._first_limits = first_limits
        self._configuring = configuring
        self._tell = announcer
        self.coming: set[int] = set()
        """Ports that have not been read yet."""
        self._leaving: dict[int, _Leaving] = {}

    @property
    def limits_to_leave(self) -> dict[int, int]:
        """In bytes, by port, of those that the switch has not shown yet."""
        return {number: leaving.limit_bytes for number, leaving in self._leaving.items()}

    def adopt(
        self,
        loop: ControlLoop,
        before: SwitchSettings,
        after: SwitchSettings,
        begun: Collection[int],
        *,
        is_responsible: bool,
    ) -> None:
        """Replaces the loop's ports; some of the new ones have `begun`.

        A controller that is not responsible for the switch leaves no limits behind and takes over
        the limits of others.
        """
        if not is_responsible:
            self._first_limits.taken_over |= {*begun}
        staying = {port.index for port in after.port}
        gone = [port for port in before.port if port.index not in staying]
        at_once = {*begun} & {*loop.control.numbers}
        for port in gone:
            if port.is_observed or port.index in self.coming or not is_responsible:
                at_once.add(port.index)
            else:
                self._leave(loop.control, port, before)
        for number in at_once:
            self._leaving.pop(number, None)
            self.coming.discard(number)
        come = [port for port in after.port if port.index in begun]
        unread = [make_port(port, 0, after.interval, hold=Hold()) for port in come]
        granted = loop.control.limits()
        loop.replace(at_once, unread)
        loop.control.lend({number: granted[number] for number in at_once & {*begun}})
        self.coming |= {port.index for port in come}

    def begin(
        self, control: SwitchControl, taken: Mapping[int, Snapshot], settings: SwitchSettings
    ) -> None:
        """Control of ports begins with their first snapshots."""
        if not self.coming:
            return
        begun = {
            port.index: self._first_limits.beside_others(port, taken[port.index], settings)
            for port in settings.port
            if port.index in self.coming & taken.keys()
            and not self._configuring.is_waiting(port.index)
            and self._is_known(port, control, settings)
        }
        if not begun:
            return
        control.adopt([*begun.values()])
        granted = {
            port.port: self._first_limits.granted(port, taken[port.port].limit_bytes)
            for port in begun.values()
        }
        control.lend(
            {number: granted[number] for number in begun if is_lent(begun[number], granted[number])}
        )
        self.coming -= begun.keys()

    def _is_known(
        self, port: PortSettings, control: SwitchControl, settings: SwitchSettings
    ) -> bool:
        """Whether it has been seen if a port whose limit is taken over needs its memory: that takes
        two answers."""
        is_taken_over = port.index in self._first_limits.taken_over
        if settings.memory_of_limits is None or not is_taken_over:
            return True
        return control.limit_in_force(port.index) is not None

    def look(self, loop: ControlLoop) -> None:
        """After a control interval: removes the ports whose safe limit is in force."""
        if not self._leaving:
            return
        for leaving in self._leaving.values():
            leaving.looks -= 1
        left = {
            number: each.limit_bytes
            for number, each in self._leaving.items()
            if loop.control.limit_in_force(number) == each.limit_bytes
        }
        given_up = {
            number: each.limit_bytes
            for number, each in self._leaving.items()
            if number not in left and each.looks <= 0
        }
        self._let_go(loop, [*left, *given_up])
        if left:
            self._tell.say(f"taken out of control with safe limits: {limits_text(left)}")
        if given_up:
            self._tell.trouble(
                "taken out of control, but the switch has not confirmed the safe limits: "
                f"{limits_text(given_up)}"
            )

    def give_up(self, loop: ControlLoop | None) -> None:
        """Gives up the ports that leave: another controller has the switch now."""
        if loop is not None:
            self._let_go(loop, [*self._leaving])
        self._first_limits.taken_over |= self.coming

    def carry_over(self, loop: ControlLoop) -> None:
        """Goes on with a new loop, of all ports that stay."""
        self.coming.clear()
        loop.replace((), [each.port for each in self._leaving.values()])

    def of_staying(self, samples: Samples) -> Samples:
        """The values without those of ports that leave."""
        if not self._leaving:
            return samples
        numbers = np.array(samples.numbers)[samples.steps.ports]
        return samples.take(np.flatnonzero(~np.isin(numbers, [*self._leaving])))

    def _leave(self, control: SwitchControl, port: PortSettings, settings: SwitchSettings) -> None:
        limit_bytes = affordable(port, control, settings)
        capacity_bps = capacities(control, settings)[port.index]
        held = make_port(port, limit_bytes, settings.interval, capacity_bps, Hold(limit_bytes))
        control.adopt([held])
        looks = 2 + math.ceil(CONFIRM_S / settings.interval)
        self._leaving[port.index] = _Leaving(held, limit_bytes, looks)
        self._first_limits.taken_over.discard(port.index)

    def _let_go(self, loop: ControlLoop, numbers: Collection[int]) -> None:
        if numbers:
            loop.replace(numbers, ())
        for number in numbers:
            del self._leaving[number]

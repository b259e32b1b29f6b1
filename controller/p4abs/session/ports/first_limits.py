"""The limits that ports begin at when control of them begins."""

from collections.abc import Mapping

from p4abs.config import PortSettings, SwitchSettings
from p4abs.control import ControlledPort
from p4abs.measurements import Snapshot
from p4abs.session.ports.controls import hold_of, lent_limits, make_port, shared_out
from p4abs.session.ports.limits import PortLimits


class FirstLimits:
    """Those of the ports of one switch.

    `taken_over` are the ports whose limits another controller, or an earlier control of the port,
    has left; `takes_over`: those of all ports are. `released` are limits in bytes to hold, by port.
    """

    def __init__(self, released: Mapping[int, int]) -> None:
        self.takes_over = False
        self.taken_over: set[int] = set()
        self._released = released

    def of(self, port: PortSettings, limit_in_force: int) -> int:
        """A port's limit in bytes, if the memory is large enough; 0: none."""
        if port.is_observed or port.index in self._released:
            return self._released.get(port.index, limit_in_force)
        is_set = port.lends_nothing and port.initial_limit is not None
        takes_over = not is_set and (self.takes_over or port.index in self.taken_over)
        limits = PortLimits(port)
        taken_over = limits.brought_within(limit_in_force, port.capacity) if takes_over else 0
        return taken_over or limits.first_limit(limit_in_force, port.capacity)

    def of_all(
        self, settings: SwitchSettings, limits: Mapping[int, int], lent: Mapping[int, int]
    ) -> list[ControlledPort]:
        """All ports of a switch, which begin together.

        `limits` are those in force; those of `lent` memory tell nothing of what ports need. A
        policy would come late from a limit that no port can have. So ports without a limit share
        the memory equally. Ports of lent memory take none of it, and begin at an equal share.
        """
        known = {number: 0 if number in lent else limit for number, limit in limits.items()}
        wanted = {port.index: self.of(port, known[port.index]) for port in settings.port}
        first = shared_out(settings, {**wanted, **lent}, dict.fromkeys(wanted, 0))
        share_bytes = (settings.memory_of_limits or 0) // len(settings.port)
        first |= {number: min(wanted[number], share_bytes) for number in lent}
        return [self._begun(port, first[port.index], settings) for port in settings.port]

    def beside_others(
        self, port: PortSettings, now: Snapshot, settings: SwitchSettings
    ) -> ControlledPort:
        """One port, which takes nothing of the memory that the others hold. See granted()."""
        lent = lent_limits(settings, {port.index: now})
        limit_bytes = self.of(port, 0 if lent else now.limit_bytes)
        memory_bytes, hold = settings.memory_of_limits, hold_of(port, self._released)
        has_its_own = port.index in self.taken_over and now.limit_bytes > 0 and not lent
        keeps = has_its_own or hold is not None or port.lends_nothing
        if memory_bytes is not None and not keeps:
            share_bytes = memory_bytes // len(settings.port)
            limit_bytes = min(limit_bytes or share_bytes, share_bytes)
        return self._begun(port, limit_bytes, settings)

    def granted(self, port: ControlledPort, limit_in_force: int) -> int:
        """What a port that begins beside others has of the memory at first, in bytes: what it has
        already, if its limit is taken over, else its min-limit."""
        has_bytes = limit_in_force if port.port in self.taken_over else 0
        return max(port.rank.min_limit_bytes, min(port.limit_bytes, has_bytes))

    def _begun(
        self, port: PortSettings, limit_bytes: int, settings: SwitchSettings
    ) -> ControlledPort:
        hold = hold_of(port, self._released)
        return make_port(port, limit_bytes, settings.interval, hold=hold)

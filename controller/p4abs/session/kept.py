"""What the controller of a switch keeps in it besides its ports' registers."""

from typing import Any, NoReturn

from p4abs.clock import Clock
from p4abs.config import SwitchSettings
from p4abs.runtime import ForwardingEntries
from p4abs.session.attempts import first_of
from p4abs.session.events import Announcer
from p4abs.session.packet_ins import PacketInBounds
from p4abs.session.selection import QueueSelection
from p4abs.sharing import SharedMemory
from p4abs.targets import Session, Target, TargetProgram


class Kept:
    """Rates of packets to controllers, forwarding entries, shared memory, and queues by DSCP."""

    def __init__(self, settings: SwitchSettings, clock: Clock, tell: Announcer) -> None:
        self._is_observed = settings.is_observed
        self._entries = ForwardingEntries(settings.runtime, tell.say, tell.trouble)
        kept = settings, clock, tell.say, tell.trouble
        self._packet_ins = PacketInBounds(*kept)
        self.memory = SharedMemory(*kept)
        self.selection = QueueSelection(*kept)
        self._upkeeps = self._packet_ins, self.memory, self.selection

    def adopt(self, settings: SwitchSettings) -> None:
        """Puts other settings in force, once run() comes to it."""
        self._is_observed = settings.is_observed
        for each in self._upkeeps:
            each.adopt(settings)

    async def begin(
        self,
        target: Target[Any, Any, Any],
        connection: Session[Any],
        program: TargetProgram | None,
        *,
        soon: bool,
        came_back: bool,
    ) -> None:
        """A session begins: all is written before limits, which thresholds leave unbounded.

        `soon`: run() may see to it; `came_back`: control was lost before. Raises PrimacyLost.
        """
        # Before entries, which may trap packets.
        await self._packet_ins.begin(target.packet_in_meter(connection, program), soon=soon)
        if not soon:
            await self._entries.restore_if_empty(
                connection, came_back=came_back, is_observed=self._is_observed
            )
        await self.memory.begin(target.memory_tables(connection, program), soon=soon)
        # Its entries wait for limits.
        await self.selection.begin(target.queue_table(connection, program), soon=True)

    def restore(self) -> None:
        """Checks everything again, because the switch may have lost it."""
        for each in self._upkeeps:
            each.restore()

    async def run(self) -> NoReturn:
        """Writes what changes, until cancelled. Raises PrimacyLost."""
        await first_of(*(each.run() for each in self._upkeeps))
        raise AssertionError("none of them returns")

"""Keeps the entries by which packets take their queues as a switch's settings ask."""

from collections.abc import Callable

from p4abs.access.tables import Selected, Selection, SelectionTable, Upkeep
from p4abs.clock import Clock
from p4abs.config import SwitchSettings


def selection_of(settings: SwitchSettings) -> Selection:
    """The entries that the settings ask for; of ports that are only observed, none."""
    return {
        Selected(port.number, code_point): port.queue.number
        for port in settings.port
        if port.queue is not None and not port.is_observed
        for code_point in port.queue.dscp
    }


class QueueSelection(Upkeep):
    """Keeps one switch's entries.

    Entries that others have written stay, unless they are for the same packets. `announce` gets
    lines for people.
    """

    def __init__(
        self, settings: SwitchSettings, clock: Clock, announce: Callable[[str], None]
    ) -> None:
        super().__init__(clock, lambda failure: announce(f"dscp: {failure}; trying again"))
        self._table: SelectionTable | None = None
        self._own: set[Selected] = set()
        self.adopt(settings)

    def adopt(self, settings: SwitchSettings) -> None:
        """Puts other settings in force, once run() comes to it."""
        self._wanted = selection_of(settings)
        self.restore()

    async def begin(self, table: SelectionTable | None, *, soon: bool) -> None:
        """A session begins; `soon`: run() may see to the entries. Raises PrimacyLost.

        None: the program has no such table, or nothing is to be written to it.
        """
        self._table = table
        self.restore()
        if not soon:
            await self._write_now()

    async def _write(self) -> None:
        if self._table is not None and (self._wanted or self._own):
            await self._table.write(self._wanted, self._own)

"""Keeps the entries by which packets take their queues as a switch's settings ask."""

import asyncio
from collections.abc import Callable
from typing import NoReturn

from p4abs.access.rpc_error import RpcError
from p4abs.access.tables import Selected, Selection, SelectionTable
from p4abs.clock import Clock
from p4abs.config import SwitchSettings

RETRY_S = 1.0


def selection_of(settings: SwitchSettings) -> Selection:
    """The entries that the settings ask for; of ports that are only observed, none."""
    return {
        Selected(port.number, code_point): port.queue.number
        for port in settings.port
        if port.queue is not None and not port.is_observed
        for code_point in port.queue.dscp
    }


class QueueSelection:
    """Keeps one switch's entries, beside its control loop. Reports failures and tries again.

    Entries that others have written stay, unless they are for the same packets. `announce` gets
    lines for people.
    """

    def __init__(
        self, settings: SwitchSettings, clock: Clock, announce: Callable[[str], None]
    ) -> None:
        self._clock = clock
        self._announce = announce
        self._table: SelectionTable | None = None
        self._own: set[Selected] = set()
        self._to_write = asyncio.Event()
        self._said = ""
        self.adopt(settings)

    def adopt(self, settings: SwitchSettings) -> None:
        """Puts other settings in force, once run() comes to it."""
        self._wanted = selection_of(settings)
        self.restore()

    def restore(self) -> None:
        """The entries may have changed since they were written."""
        self._to_write.set()

    async def begin(self, table: SelectionTable | None, *, soon: bool) -> None:
        """A session begins; `soon`: run() may see to the entries. Raises PrimacyLost.

        None: the program has no such table, or nothing is to be written to it.
        """
        self._table = table
        self.restore()
        if not soon:
            await self._write()

    async def run(self) -> NoReturn:
        """Writes what changes. Raises PrimacyLost."""
        while True:
            await self._to_write.wait()
            if not await self._write():
                await self._clock.sleep_until(self._clock.now_s() + RETRY_S)

    async def _write(self) -> bool:
        """Whether the entries are as they should be. Says once what prevents it."""
        self._to_write.clear()
        failure = ""
        if self._table is not None and (self._wanted or self._own):
            try:
                await self._table.write(self._wanted, self._own)
            except RpcError as error:
                self.restore()
                failure = str(error)
        if failure and failure != self._said:
            self._announce(f"dscp: {failure}; trying again")
        self._said = failure
        return not failure

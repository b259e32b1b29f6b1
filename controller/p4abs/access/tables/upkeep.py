"""Keeps tables of a switch as they should be, beside its control loop."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Generic, NoReturn, TypeVar

from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock

RETRY_S = 1.0

Settings = TypeVar("Settings")
Table = TypeVar("Table")


class Upkeep(ABC, Generic[Settings, Table]):
    """Writes to a table when something changes, and tries again when that fails. `say` and
    `trouble` get lines for people; a failure is told once, however often it occurs."""

    topic: ClassVar[str]
    """What failures begin with."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        say: Callable[[str], None],
        trouble: Callable[[str], None],
    ) -> None:
        self._clock = clock
        self._say = say
        self._trouble = trouble
        self._to_write = asyncio.Event()
        self._told = ""
        self._table: Table | None = None
        self.adopt(settings)

    def adopt(self, settings: Settings) -> None:
        """Puts other settings in force, once run() comes to it."""
        self._settings = settings
        self.restore()

    async def begin(self, table: Table | None, *, soon: bool) -> None:
        """A session begins; `soon`: run() may see to the table. Raises PrimacyLost.

        None: the program has no such table.
        """
        self._table = table
        self.restore()
        if not soon:
            await self._write_now()

    def restore(self) -> None:
        """The tables may have changed since they were written."""
        self._to_write.set()

    async def run(self) -> NoReturn:
        """Writes what changes. Raises PrimacyLost."""
        while True:
            await self._to_write.wait()
            if not await self._write_now():
                await self._clock.sleep_until(self._clock.now_s() + RETRY_S)

    async def _write_now(self) -> bool:
        """Whether the tables are as they should be. Raises PrimacyLost."""
        self._to_write.clear()
        failure = ""
        try:
            await self._write()
        except RpcError as error:
            self.restore()
            failure = str(error)
        if failure and failure != self._told:
            self._trouble(f"{self.topic}: {failure}; trying again")
        self._told = failure
        return not failure

    @abstractmethod
    async def _write(self) -> None:
        """Raises RpcError and PrimacyLost."""

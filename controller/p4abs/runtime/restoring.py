"""The forwarding entries of a switch that may have restarted."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from finsy.proto import p4r

from p4abs.access.connection import Connection, PrimacyLost
from p4abs.errors import P4absError
from p4abs.runtime.load import check_program, write
from p4abs.runtime.runtime_file import read_runtime_file

_READ_TIMEOUT_S = 10.0
_RUN_IT = "let the switch run the file's program, or correct runtime"


class ForwardingEntries:
    """Reports that a switch has no forwarding entries any more, and writes those of a runtime file,
    if there is one, as it is then.

    `trouble` reports failures; control goes on.
    """

    def __init__(
        self, path: Path | None, say: Callable[[str], None], trouble: Callable[[str], None]
    ) -> None:
        self._path = path
        if path is not None:
            read_runtime_file(path)  # what can never be written is refused at once
        self._say = say
        self._trouble = trouble

    async def restore_if_empty(self, session: Any, *, came_back: bool, is_observed: bool) -> None:
        """At the begin of a session, before anything else is written to tables.

        `came_back`: control was lost before. Raises PrimacyLost.
        """
        if not isinstance(session, Connection) or not (came_back or self._path):
            return
        try:
            if await _has_entries(session):
                return
            if self._path is None or is_observed:
                self._trouble(
                    "its tables hold no entries: it forwards nothing until somebody writes them; "
                    "runtime = 'FILE.json' of the switch lets this controller do so"
                )
                return
            file = await asyncio.to_thread(read_runtime_file, self._path)
            await check_program(session, file, _RUN_IT)
            await write(session, file.path, file.updates, together=False)
            count = len(file.updates)
            written = "1 entry" if count == 1 else f"{count} entries"
            self._say(f"its tables were empty; {written} written")
        except PrimacyLost:
            raise
        except P4absError as error:
            self._trouble(f"its forwarding entries are not restored: {error}")


async def _has_entries(connection: Connection) -> bool:
    """Whether any table has an entry that is not the program's own."""
    every = p4r.Entity(table_entry=p4r.TableEntry())
    found = await connection.read([every], _READ_TIMEOUT_S)
    return any(not entity.table_entry.is_const for entity in found)

"""The table that gives packets a queue by their DSCP (p4src/queue_selection.p4)."""

from collections.abc import Mapping
from typing import NamedTuple

from finsy.proto import p4i

from p4abs.access.connection import Connection
from p4abs.access.program import QUEUE_TABLE
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.tables.form import Entries, forms_of


class Selected(NamedTuple):
    """What an entry is for: packets of a code point that leave by a port."""

    port: int
    code_point: int


Selection = Mapping[Selected, int]
"""The number of the queue that each takes."""


class SelectionReader:
    """Reads which packets take which queue. The program has the table."""

    def __init__(self, connection: ReadOnlyConnection, p4info: p4i.P4Info) -> None:
        self._reading = connection
        self._form = forms_of(p4info, [QUEUE_TABLE])[QUEUE_TABLE]

    async def read(self) -> dict[Selected, int]:
        """All entries. Raises RpcError."""
        answers = await self._reading.read([self._form.all()], ANSWER_TIMEOUT_S)
        return {Selected(*key): queue for key, (queue,) in self._form.entries(answers).items()}


class SelectionTable(SelectionReader):
    """Writes it, too, as the primary controller."""

    def __init__(self, connection: Connection, p4info: p4i.P4Info) -> None:
        super().__init__(connection, p4info)
        self._connection = connection

    async def write(self, wanted: Selection, own: set[Selected]) -> None:
        """Adds and changes what is wanted, and deletes its `own` entries that are not.

        Its own are those that it has written; `own` is brought up to date. Raises RpcError and
        PrimacyLost.
        """
        present = await self.read()
        gone = own - wanted.keys()
        known: Entries = {key: (present[key],) for key in present.keys() & (gone | wanted.keys())}
        asked: Entries = {key: (queue,) for key, queue in wanted.items()}
        updates = [*self._form.changes(known, asked)]
        own.update(key for key, queue in wanted.items() if present.get(key) != queue)
        if updates:
            await self._connection.write(updates, ANSWER_TIMEOUT_S)
        own.difference_update(gone)

"""The table that gives packets a queue by their DSCP (p4src/queue_selection.p4)."""

from collections.abc import Mapping
from typing import NamedTuple

from finsy.proto import p4i, p4r

from p4abs.access.connection import Connection
from p4abs.access.program import QUEUE_TABLE
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.tables.form import EntryForm


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
        by_name = {table.preamble.name.rpartition(".")[2]: table for table in p4info.tables}
        self._form = EntryForm(by_name[QUEUE_TABLE], p4info.actions)

    async def read(self) -> dict[Selected, int]:
        """All entries. Raises RpcError."""
        answers = await self._reading.read([self._form.all()], ANSWER_TIMEOUT_S)
        found = [answer.table_entry for answer in answers]
        entries = (self._form.read(entry) for entry in found if self._form.is_of(entry))
        return {Selected(*key): queue for key, (queue,) in entries}


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
        updates = [
            self._update(p4r.Update.DELETE, key, None) for key in sorted(gone & present.keys())
        ]
        for key, queue in wanted.items():
            if present.get(key) != queue:
                kind = p4r.Update.MODIFY if key in present else p4r.Update.INSERT
                updates.append(self._update(kind, key, queue))
                own.add(key)
        if updates:
            await self._connection.write(updates, ANSWER_TIMEOUT_S)
        own.difference_update(gone)

    def _update(
        self, kind: p4r.Update.Type.ValueType, key: Selected, queue: int | None
    ) -> p4r.Update:
        values = None if queue is None else (queue,)
        return p4r.Update(type=kind, entity=self._form.entity(key, values))

"""The table that gives packets a queue by their DSCP (p4src/queue_selection.p4)."""

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from finsy.proto import p4i, p4r

from p4abs.access.connection import Connection
from p4abs.access.program import QUEUE_TABLE
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.tables.form import Entries, forms_of

# The metadata of entries that control has written, by which a later run knows them.
_OF_CONTROL = b"p4abs"


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
        self._form = forms_of(p4info, [QUEUE_TABLE], _OF_CONTROL)[QUEUE_TABLE]

    async def read(self) -> dict[Selected, int]:
        """All entries. Raises RpcError."""
        entries = self._form.entries(await self._answers())
        return {Selected(*key): queue for key, (queue,) in entries.items()}

    async def _answers(self) -> Sequence[p4r.Entity]:
        return await self._reading.read([self._form.all()], ANSWER_TIMEOUT_S)


class SelectionTable(SelectionReader):
    """Writes it, too, as the primary controller."""

    def __init__(self, connection: Connection, p4info: p4i.P4Info) -> None:
        super().__init__(connection, p4info)
        self._connection = connection

    async def write(self, wanted: Selection, ports_to_keep: Container[int]) -> Selection:
        """Adds and changes the wanted entries. Deletes other entries that control has written, in
        this run or an earlier one, except on `ports_to_keep`. Returns the deleted ones.

        Raises RpcError and PrimacyLost.
        """
        answers = await self._answers()
        present = self._form.entries(answers)
        own = {Selected(*key) for key in self._form.marked(answers)}
        gone = {each for each in own - wanted.keys() if each.port not in ports_to_keep}
        known: Entries = {key: present[key] for key in present.keys() & (gone | wanted.keys())}
        asked: Entries = {key: (queue,) for key, queue in wanted.items()}
        if updates := [*self._form.changes(known, asked)]:
            await self._connection.write(updates, ANSWER_TIMEOUT_S)
        return {each: present[each][0] for each in gone}

"""The tables of p4src/adaptive/memory/shared.p4, read and written over P4Runtime."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import NamedTuple

from finsy.proto import p4i

from p4abs.access.connection import Connection
from p4abs.access.program import MEMORY_TABLES
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.tables.form import Entries, Key, Values, forms_of
from p4abs.queues import QueueAddress

_SIZE, _SHARING, _SCALE = MEMORY_TABLES

_Wanted = Mapping[Key, Values]


class Share(NamedTuple):
    """A queue's class, and its alpha in 2^-10."""

    memory_class: int
    alpha_1024ths: int


@dataclass(frozen=True)
class Sharing:
    """How queues share memory: its size, 0 for not at all; who shares, by the queue's index; the
    scales of their thresholds in 2^-16, by class, of those that are not 1."""

    memory_bytes: int = 0
    queues: Mapping[int, Share] = field(default_factory=dict)
    scales_65536ths: Mapping[int, int] = field(default_factory=dict)

    def entries(self) -> dict[str, _Wanted]:
        """What the tables hold, by their names."""
        return {
            _SIZE: {(): (self.memory_bytes,)},
            _SHARING: {
                astuple(QueueAddress.at(each)): share for each, share in self.queues.items()
            },
            _SCALE: _scale_entries(self.scales_65536ths),
        }

    @classmethod
    def of(cls, entries: Mapping[str, Entries]) -> "Sharing":
        [memory_bytes] = entries[_SIZE].get((), (0,))
        return cls(
            memory_bytes,
            {QueueAddress(*key).index: Share(*values) for key, values in entries[_SHARING].items()},
            {each: scale for (each,), (scale,) in entries[_SCALE].items()},
        )


class MemoryReader:
    """Reads how the queues of a switch share memory. Its program has the tables."""

    def __init__(self, connection: ReadOnlyConnection, p4info: p4i.P4Info) -> None:
        self._reading = connection
        self._forms = forms_of(p4info, MEMORY_TABLES)

    async def read(self) -> Sharing:
        """What the tables say. Raises RpcError."""
        return Sharing.of(await self._entries())

    async def _entries(self) -> dict[str, Entries]:
        asked = [form.all() for form in self._forms.values()]
        answers = await self._reading.read(asked, ANSWER_TIMEOUT_S)
        return {name: form.entries(answers) for name, form in self._forms.items()}


class MemoryTables(MemoryReader):
    """Writes it, too, as the primary controller."""

    def __init__(self, connection: Connection, p4info: p4i.P4Info) -> None:
        super().__init__(connection, p4info)
        self._connection = connection

    async def write(self, wanted: Sharing) -> None:
        """Brings the tables there from wherever they are. Raises RpcError and PrimacyLost."""
        present = await self._entries()
        updates = [
            update
            for name, entries in wanted.entries().items()
            for update in self._forms[name].changes(present[name], entries)
        ]
        if updates:
            await self._connection.write(updates, ANSWER_TIMEOUT_S)

    async def scale(self, scales_65536ths: Mapping[int, int]) -> None:
        """Changes scales of classes that have one. Raises RpcError and PrimacyLost."""
        updates = self._forms[_SCALE].modifications(_scale_entries(scales_65536ths))
        await self._connection.write([*updates], ANSWER_TIMEOUT_S)


def _scale_entries(scales_65536ths: Mapping[int, int]) -> _Wanted:
    return {(each,): (scale,) for each, scale in scales_65536ths.items()}

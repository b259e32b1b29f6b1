"""A program in this process, by full names and numbers: for tests, and for code that steps a
switch."""

from collections.abc import Sequence

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.actions import build, data_of
from p4abs_switch.runtime.cells import Counters
from p4abs_switch.runtime.local import Local
from p4abs_switch.runtime.matches import HIGHEST_PRIORITY, Numbers, entry_of_key, numbers_of
from p4abs_switch.runtime.tables import Tables


class Programmed(Local):
    """The running program of an engine by full names and numbers: `Programmed.of(engine, json)`.

    What is refused is a RequestRefused, and an InputError what the program does not have.
    """

    def add(
        self, table: str, key: Sequence[Numbers], action: str, *data: int, priority: int = 0
    ) -> None:
        """Inserts an entry; of priorities, where the table has them, the highest wins."""
        declared = self.names.table(table)
        entry = entry_of_key(declared, key, HIGHEST_PRIORITY - priority)
        entry.action.CopyFrom(self._called(declared, action, data))
        self.insert(table_entry=entry)

    def set_default(self, table: str, action: str, *data: int) -> None:
        """Sets what the table does where no entry is hit."""
        declared = self.names.table(table)
        Tables(self).set_default(declared, self._called(declared, action, data))

    def default(self, table: str) -> list[int]:
        """The data of that action."""
        return self._data(Tables(self).default(self.names.table(table)))

    def entries(self, table: str) -> dict[tuple[Numbers, ...], list[int]]:
        """The data of the entries' actions, by key."""
        declared = self.names.table(table)
        found = Tables(self).entries(declared).values()
        return {
            tuple(numbers_of(field, entry) for field in declared.match_fields): self._data(
                entry.action
            )
            for entry in found
        }

    def counted(self, counter: str, index: int) -> tuple[int, int]:
        """Packets and bytes."""
        data = Counters(self, Tables(self)).read(self.names.counter(counter), index)
        return data.packet_count, data.byte_count

    def _called(self, table: p4i.Table, action: str, data: Sequence[int]) -> p4r.TableAction:
        return p4r.TableAction(action=build(self.names.action_of_table(action, table), data))

    def _data(self, action: p4r.TableAction) -> list[int]:
        return data_of(self.names.action_of_id(action.action.action_id), action.action)

"""Entries of a table as numbers."""

from collections.abc import Iterable, Iterator, Mapping

from finsy.proto import p4i, p4r

from p4abs.access.register_cells import bitstring

Key = tuple[int, ...]
Values = tuple[int, ...]
Entries = dict[Key, Values]


class EntryForm:
    """Of a table with exact keys and one action; without keys its default action is all.

    Keys and values, those of the action's parameters, are in their order. Each entry that it writes
    has `mark` as its P4Runtime metadata, which the switch returns with the entry.
    """

    def __init__(self, table: p4i.Table, actions: Iterable[p4i.Action], mark: bytes = b"") -> None:
        self._mark = mark
        self._table_id = table.preamble.id
        self._key_ids = [field.id for field in table.match_fields]
        offered = {ref.id for ref in table.action_refs if ref.scope != p4i.ActionRef.DEFAULT_ONLY}
        [action] = [action for action in actions if action.preamble.id in offered]
        self._action_id = action.preamble.id
        self._parameter_ids = [parameter.id for parameter in action.params]

    @property
    def _has_key(self) -> bool:
        """Whether there are entries besides the default one."""
        return bool(self._key_ids)

    def all(self) -> p4r.Entity:
        entry = p4r.TableEntry(table_id=self._table_id, is_default_action=not self._has_key)
        return p4r.Entity(table_entry=entry)

    def entries(self, answers: Iterable[p4r.Entity]) -> Entries:
        """The table's entries in the answers to all()."""
        return dict(self._read(entry) for entry in self._found(answers))

    def marked(self, answers: Iterable[p4r.Entity]) -> set[Key]:
        """The keys of those that have the mark."""
        found = self._found(answers)
        return {self._read(entry)[0] for entry in found if entry.metadata == self._mark}

    def changes(
        self, present: Mapping[Key, Values], wanted: Mapping[Key, Values]
    ) -> Iterator[p4r.Update]:
        """The updates that turn the present entries into the wanted ones."""
        for key in sorted(present.keys() - wanted.keys()):
            yield self._update(p4r.Update.DELETE, key, None)
        for key, values in wanted.items():
            if present.get(key) == values:
                continue
            exists = key in present or not self._has_key
            yield self._update(p4r.Update.MODIFY if exists else p4r.Update.INSERT, key, values)

    def modifications(self, entries: Mapping[Key, Values]) -> Iterator[p4r.Update]:
        """The updates that give these existing entries new values."""
        for key, values in entries.items():
            yield self._update(p4r.Update.MODIFY, key, values)

    def _update(
        self, kind: p4r.Update.Type.ValueType, key: Key, values: Values | None
    ) -> p4r.Update:
        return p4r.Update(type=kind, entity=self._entity(key, values))

    def _entity(self, key: Key, values: Values | None) -> p4r.Entity:
        """An entry; without values, to be deleted."""
        entry = p4r.TableEntry(table_id=self._table_id, is_default_action=not self._has_key)
        for number, part in zip(self._key_ids, key, strict=True):
            exact = p4r.FieldMatch.Exact(value=bitstring(part))
            entry.match.append(p4r.FieldMatch(field_id=number, exact=exact))
        if values is not None:
            entry.metadata = self._mark
            entry.action.action.action_id = self._action_id
            for number, value in zip(self._parameter_ids, values, strict=True):
                entry.action.action.params.add(param_id=number, value=bitstring(value))
        return p4r.Entity(table_entry=entry)

    def _found(self, answers: Iterable[p4r.Entity]) -> Iterator[p4r.TableEntry]:
        return (each.table_entry for each in answers if self._is_of(each.table_entry))

    def _is_of(self, entry: p4r.TableEntry) -> bool:
        """Whether it is one that all() asks for."""
        return entry.table_id == self._table_id and entry.is_default_action is not self._has_key

    def _read(self, entry: p4r.TableEntry) -> tuple[Key, Values]:
        parts = {each.field_id: int.from_bytes(each.exact.value, "big") for each in entry.match}
        key = tuple(parts[number] for number in self._key_ids)
        parameters = entry.action.action.params
        given = {each.param_id: int.from_bytes(each.value, "big") for each in parameters}
        return key, tuple(given[number] for number in self._parameter_ids)


def forms_of(p4info: p4i.P4Info, names: Iterable[str], mark: bytes = b"") -> dict[str, EntryForm]:
    """The forms of these tables, named by the last part of their names in P4Info."""
    tables = {table.preamble.name.rpartition(".")[2]: table for table in p4info.tables}
    return {name: EntryForm(tables[name], p4info.actions, mark) for name in names}

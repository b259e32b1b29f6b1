"""Entries of a table as numbers."""

from collections.abc import Sequence

from finsy.proto import p4i, p4r

from p4abs.access.register_cells import bitstring

Key = tuple[int, ...]
Values = tuple[int, ...]


class EntryForm:
    """Of a table with exact keys and one action; without keys its default action is all.

    Keys and values, those of the action's parameters, are in their order.
    """

    def __init__(self, table: p4i.Table, actions: Sequence[p4i.Action]) -> None:
        self._table_id = table.preamble.id
        self._key_ids = [field.id for field in table.match_fields]
        offered = {ref.id for ref in table.action_refs if ref.scope != p4i.ActionRef.DEFAULT_ONLY}
        [action] = [action for action in actions if action.preamble.id in offered]
        self._action_id = action.preamble.id
        self._parameter_ids = [parameter.id for parameter in action.params]

    @property
    def has_key(self) -> bool:
        """Whether there are entries besides the default one."""
        return bool(self._key_ids)

    def all(self) -> p4r.Entity:
        entry = p4r.TableEntry(table_id=self._table_id, is_default_action=not self.has_key)
        return p4r.Entity(table_entry=entry)

    def entity(self, key: Key, values: Values | None) -> p4r.Entity:
        """An entry; without values, to be deleted."""
        entry = p4r.TableEntry(table_id=self._table_id, is_default_action=not self.has_key)
        for number, part in zip(self._key_ids, key, strict=True):
            exact = p4r.FieldMatch.Exact(value=bitstring(part))
            entry.match.append(p4r.FieldMatch(field_id=number, exact=exact))
        if values is not None:
            entry.action.action.action_id = self._action_id
            for number, value in zip(self._parameter_ids, values, strict=True):
                entry.action.action.params.add(param_id=number, value=bitstring(value))
        return p4r.Entity(table_entry=entry)

    def is_of(self, entry: p4r.TableEntry) -> bool:
        """Whether it is one that all() asks for."""
        return entry.table_id == self._table_id and entry.is_default_action is not self.has_key

    def read(self, entry: p4r.TableEntry) -> tuple[Key, Values]:
        parts = {each.field_id: int.from_bytes(each.exact.value, "big") for each in entry.match}
        key = tuple(parts[number] for number in self._key_ids)
        parameters = entry.action.action.params
        given = {each.param_id: int.from_bytes(each.value, "big") for each in parameters}
        return key, tuple(given[number] for number in self._parameter_ids)

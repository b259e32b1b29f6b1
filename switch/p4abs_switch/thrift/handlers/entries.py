"""Entries of tables, whether they lead to actions, to members or to groups."""

from collections.abc import Sequence
from contextlib import AbstractContextManager

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.handles import ExpiredHandle, UnknownHandle
from p4abs_switch.runtime.tables import NoSuchEntry
from p4abs_switch.thrift.handlers.told_entries import NS_PER_MS, action_told, entry_told
from p4abs_switch.thrift.keys import action_of, entry_in
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, I64, Binary, Bool, Text
from p4abs_switch.thrift.refusals import Inputs, TableCode, refusals
from p4abs_switch.thrift.structures import (
    ActionEntry,
    AddEntryOptions,
    Entry,
    MatchParam,
)
from p4abs_switch.thrift.target import Target, find

_INPUTS: Inputs = {
    ExpiredHandle: TableCode.EXPIRED_HANDLE,
    UnknownHandle: TableCode.INVALID_HANDLE,
    NoSuchEntry: TableCode.INVALID_HANDLE,
}
_MISSING = {
    "action_profile_member_id": TableCode.INVALID_MBR_HANDLE,
    "action_profile_group_id": TableCode.INVALID_GRP_HANDLE,
}


class Entries:
    """`bm_mt_...` calls about entries."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mt_get_num_entries(self, cxt_id: I32, table_name: Text) -> I64:
        return len(self._target.loaded.tables.entries(self._target.table(table_name)))

    def bm_mt_clear_entries(self, cxt_id: I32, table_name: Text, reset_default_entry: Bool) -> None:
        table = self._target.table(table_name)
        _check_changeable(table)
        with refusals(TableCode.ERROR):
            self._target.loaded.tables.clear(table)
            if reset_default_entry:
                self._target.loaded.tables.set_default(table, None)

    def bm_mt_add_entry(
        self,
        cxt_id: I32,
        table_name: Text,
        match_key: list[MatchParam],
        action_name: Text,
        action_data: list[Binary],
        options: AddEntryOptions,
    ) -> I32:
        table = self._direct(table_name)
        action = self._action(table, action_name, action_data)
        return self._add(table, match_key, action, options)

    def bm_mt_set_default_action(
        self, cxt_id: I32, table_name: Text, action_name: Text, action_data: list[Binary]
    ) -> None:
        table = self._direct(table_name)
        self._set_default(table, self._action(table, action_name, action_data))

    def bm_mt_reset_default_entry(self, cxt_id: I32, table_name: Text) -> None:
        self._reset_default(self._direct(table_name))

    def bm_mt_delete_entry(self, cxt_id: I32, table_name: Text, entry_handle: I32) -> None:
        self._delete(self._direct(table_name), entry_handle)

    def bm_mt_modify_entry(
        self,
        cxt_id: I32,
        table_name: Text,
        entry_handle: I32,
        action_name: Text,
        action_data: list[Binary],
    ) -> None:
        table = self._direct(table_name)
        self._modify(table, entry_handle, self._action(table, action_name, action_data))

    def bm_mt_set_entry_ttl(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, timeout_ms: I32
    ) -> None:
        self._set_timeout(self._direct(table_name), entry_handle, timeout_ms)

    def bm_mt_indirect_add_entry(
        self,
        cxt_id: I32,
        table_name: Text,
        match_key: list[MatchParam],
        mbr_handle: I32,
        options: AddEntryOptions,
    ) -> I32:
        table = self._indirect(table_name)
        return self._add(table, match_key, _member(mbr_handle), options)

    def bm_mt_indirect_modify_entry(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, mbr_handle: I32
    ) -> None:
        table = self._indirect(table_name)
        self._modify(table, entry_handle, _member(mbr_handle))

    def bm_mt_indirect_delete_entry(self, cxt_id: I32, table_name: Text, entry_handle: I32) -> None:
        self._delete(self._indirect(table_name), entry_handle)

    def bm_mt_indirect_set_entry_ttl(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, timeout_ms: I32
    ) -> None:
        self._set_timeout(self._indirect(table_name), entry_handle, timeout_ms)

    def bm_mt_indirect_set_default_member(
        self, cxt_id: I32, table_name: Text, mbr_handle: I32
    ) -> None:
        self._set_default(self._indirect(table_name), _member(mbr_handle))

    def bm_mt_indirect_reset_default_entry(self, cxt_id: I32, table_name: Text) -> None:
        self._reset_default(self._indirect(table_name))

    def bm_mt_indirect_ws_add_entry(
        self,
        cxt_id: I32,
        table_name: Text,
        match_key: list[MatchParam],
        grp_handle: I32,
        options: AddEntryOptions,
    ) -> I32:
        table = self._selecting(table_name)
        return self._add(table, match_key, _group(grp_handle), options)

    def bm_mt_indirect_ws_modify_entry(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, grp_handle: I32
    ) -> None:
        table = self._selecting(table_name)
        self._modify(table, entry_handle, _group(grp_handle))

    def bm_mt_indirect_ws_set_default_group(
        self, cxt_id: I32, table_name: Text, grp_handle: I32
    ) -> None:
        self._set_default(self._selecting(table_name), _group(grp_handle))

    def bm_mt_get_entries(self, cxt_id: I32, table_name: Text) -> list[Entry]:
        table = self._target.table(table_name)
        entries = self._target.loaded.tables.entries(table)
        names = self._target.loaded.names
        return [entry_told(names, table, handle, entry) for handle, entry in entries.items()]

    def bm_mt_get_entry(self, cxt_id: I32, table_name: Text, entry_handle: I32) -> Entry:
        table, tables = self._target.table(table_name), self._target.loaded.tables
        with _refusals():
            found = tables.entry(table, tables.key(table, entry_handle))
        return entry_told(self._target.loaded.names, table, entry_handle, found)

    def bm_mt_get_default_entry(self, cxt_id: I32, table_name: Text) -> ActionEntry:
        default = self._target.loaded.tables.default(self._target.table(table_name))
        return action_told(self._target.loaded.names, default)

    def bm_mt_get_entry_from_key(
        self,
        cxt_id: I32,
        table_name: Text,
        match_key: list[MatchParam],
        options: AddEntryOptions,
    ) -> Entry:
        table, loaded = self._target.table(table_name), self._target.loaded
        if not match_key:
            default = self.bm_mt_get_default_entry(cxt_id, table_name)
            return Entry([], AddEntryOptions(), 0, default)
        with refusals(TableCode.BAD_MATCH_KEY):
            found = loaded.tables.entry(table, entry_in(table, match_key, options))
        return entry_told(loaded.names, table, loaded.tables.handle(table, found), found)

    def _add(
        self,
        table: p4i.Table,
        params: Sequence[MatchParam],
        action: p4r.TableAction,
        options: AddEntryOptions,
    ) -> int:
        _check_changeable(table)
        if not table.match_fields:
            raise Refusal(TableCode.NO_TABLE_KEY, f"table {table.preamble.name} has no key")
        entry = entry_in(table, params, options)
        entry.action.CopyFrom(action)
        with refusals(
            TableCode.BAD_MATCH_KEY,
            missing=_missing(action),
            exists=TableCode.DUPLICATE_ENTRY,
            full=TableCode.TABLE_FULL,
        ):
            return self._target.loaded.tables.add(table, entry)

    def _modify(self, table: p4i.Table, handle: int, action: p4r.TableAction) -> None:
        _check_changeable(table)
        tables = self._target.loaded.tables
        with _refusals(_missing(action)):
            tables.modify(table, tables.key(table, handle), action)

    def _delete(self, table: p4i.Table, handle: int) -> None:
        _check_changeable(table)
        tables = self._target.loaded.tables
        with _refusals():
            tables.delete(table, tables.key(table, handle))

    def _set_timeout(self, table: p4i.Table, handle: int, timeout_ms: int) -> None:
        if not table.idle_timeout_behavior:
            reason = f"table {table.preamble.name} has no timeouts"
            raise Refusal(TableCode.AGEING_DISABLED, reason)
        tables, timeout_ns = self._target.loaded.tables, max(0, timeout_ms) * NS_PER_MS
        with _refusals():
            tables.set_timeout(table, tables.key(table, handle), timeout_ns)

    def _set_default(self, table: p4i.Table, action: p4r.TableAction) -> None:
        if table.const_default_action_id:
            reason = f"the default of table {table.preamble.name} is constant"
            raise Refusal(TableCode.DEFAULT_ENTRY_IS_CONST, reason)
        with _refusals(_missing(action)):
            self._target.loaded.tables.set_default(table, action)

    def _reset_default(self, table: p4i.Table) -> None:
        with _refusals():
            self._target.loaded.tables.set_default(table, None)

    def _action(self, table: p4i.Table, name: str, data: Sequence[bytes]) -> p4r.TableAction:
        actions = self._target.loaded.names.actions_of_table(table)
        declared = find("action", name, actions, TableCode.INVALID_ACTION_NAME)
        return p4r.TableAction(action=action_of(declared, data))

    def _direct(self, name: str) -> p4i.Table:
        table = self._target.table(name)
        if table.implementation_id:
            raise _wrong_type(table, "its entries lead to members of a profile")
        return table

    def _indirect(self, name: str) -> p4i.Table:
        table = self._target.table(name)
        if not table.implementation_id:
            raise _wrong_type(table, "its entries lead to actions")
        return table

    def _selecting(self, name: str) -> p4i.Table:
        table = self._indirect(name)
        if not self._target.loaded.names.profile_of(table).with_selector:
            raise _wrong_type(table, "its profile has no groups")
        return table


def key_of(target: Target, table: p4i.Table, handle: int) -> p4r.TableEntry:
    """Table, match and priority of an entry. Raises Refusal INVALID_HANDLE, EXPIRED_HANDLE."""
    with _refusals():
        return target.loaded.tables.key(table, handle)


def _refusals(missing: TableCode = TableCode.INVALID_HANDLE) -> AbstractContextManager[None]:
    return refusals(TableCode.ERROR, missing=missing, inputs=_INPUTS)


def _member(handle: int) -> p4r.TableAction:
    return p4r.TableAction(action_profile_member_id=max(0, handle + 1))


def _group(handle: int) -> p4r.TableAction:
    return p4r.TableAction(action_profile_group_id=max(0, handle + 1))


def _check_changeable(table: p4i.Table) -> None:
    if table.is_const_table:
        reason = f"the program fills table {table.preamble.name}"
        raise Refusal(TableCode.IMMUTABLE_TABLE_ENTRIES, reason)


def _missing(action: p4r.TableAction) -> TableCode:
    """What it is that a switch does not find when an entry is to lead there."""
    return _MISSING.get(action.WhichOneof("type") or "", TableCode.INVALID_HANDLE)


def _wrong_type(table: p4i.Table, reason: str) -> Refusal:
    return Refusal(TableCode.WRONG_TABLE_TYPE, f"table {table.preamble.name}: {reason}")

"""Entries of tables, whether they lead to actions, to members or to groups."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, TypeAlias

from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.thrift.handlers.handler import OF_ENTRIES, OfTarget, Table, find, table_of
from p4abs_switch.thrift.handlers.told_entries import NS_PER_MS, action_told, entry_told
from p4abs_switch.thrift.keys import action_of, entry_in
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, I64, Binary, Bool, Meaning, Text
from p4abs_switch.thrift.refusals import Codes, TableCode, refusals
from p4abs_switch.thrift.structures import (
    ActionEntry,
    AddEntryOptions,
    Entry,
    MatchParam,
)
from p4abs_switch.thrift.target import Target

_OF_NEW_ENTRIES = Codes(
    other=TableCode.BAD_MATCH_KEY, exists=TableCode.DUPLICATE_ENTRY, full=TableCode.TABLE_FULL
)
_MISSING = {
    "action_profile_member_id": TableCode.INVALID_MBR_HANDLE,
    "action_profile_group_id": TableCode.INVALID_GRP_HANDLE,
}


def _direct(target: Target, name: str) -> p4i.Table:
    table = table_of(target, name)
    if table.implementation_id:
        raise _wrong_type(table, "its entries refer to members of a profile")
    return table


def _indirect(target: Target, name: str) -> p4i.Table:
    table = table_of(target, name)
    if not table.implementation_id:
        raise _wrong_type(table, "its entries have actions of their own, and no members")
    return table


def _selecting(target: Target, name: str) -> p4i.Table:
    table = _indirect(target, name)
    if not target.loaded.names.profile_of(table).with_selector:
        raise _wrong_type(table, "its profile has no groups")
    return table


def _member(_target: Target, handle: int) -> p4r.TableAction:
    return p4r.TableAction(action_profile_member_id=max(0, handle + 1))


def _group(_target: Target, handle: int) -> p4r.TableAction:
    return p4r.TableAction(action_profile_group_id=max(0, handle + 1))


Direct: TypeAlias = Annotated[p4i.Table, Meaning(Text, _direct)]
Indirect: TypeAlias = Annotated[p4i.Table, Meaning(Text, _indirect)]
Selecting: TypeAlias = Annotated[p4i.Table, Meaning(Text, _selecting)]
ToMember: TypeAlias = Annotated[p4r.TableAction, Meaning(I32, _member)]
ToGroup: TypeAlias = Annotated[p4r.TableAction, Meaning(I32, _group)]
Key: TypeAlias = list[MatchParam]
Data: TypeAlias = list[Binary]


class Entries(OfTarget):
    """`bm_mt_...` calls about entries."""

    codes = OF_ENTRIES

    def bm_mt_get_num_entries(self, table: Table) -> I64:
        return len(self._loaded.tables.entries(table))

    def bm_mt_clear_entries(self, table: Table, reset_default_entry: Bool) -> None:
        _check_changeable(table)
        self._loaded.tables.clear(table)
        if reset_default_entry:
            self._loaded.tables.set_default(table, None)

    def bm_mt_add_entry(
        self, table: Direct, key: Key, action_name: Text, data: Data, options: AddEntryOptions
    ) -> I32:
        return self._add(table, key, self._action(table, action_name, data), options)

    def bm_mt_set_default_action(self, table: Direct, action_name: Text, data: Data) -> None:
        self._set_default(table, self._action(table, action_name, data))

    def bm_mt_reset_default_entry(self, table: Direct) -> None:
        self._loaded.tables.set_default(table, None)

    def bm_mt_delete_entry(self, table: Direct, handle: I32) -> None:
        self._delete(table, handle)

    def bm_mt_modify_entry(self, table: Direct, handle: I32, action_name: Text, data: Data) -> None:
        self._modify(table, handle, self._action(table, action_name, data))

    def bm_mt_set_entry_ttl(self, table: Direct, handle: I32, timeout_ms: I32) -> None:
        self._set_timeout(table, handle, timeout_ms)

    def bm_mt_indirect_add_entry(
        self, table: Indirect, key: Key, member: ToMember, options: AddEntryOptions
    ) -> I32:
        return self._add(table, key, member, options)

    def bm_mt_indirect_modify_entry(self, table: Indirect, handle: I32, member: ToMember) -> None:
        self._modify(table, handle, member)

    def bm_mt_indirect_delete_entry(self, table: Indirect, handle: I32) -> None:
        self._delete(table, handle)

    def bm_mt_indirect_set_entry_ttl(self, table: Indirect, handle: I32, timeout_ms: I32) -> None:
        self._set_timeout(table, handle, timeout_ms)

    def bm_mt_indirect_set_default_member(self, table: Indirect, member: ToMember) -> None:
        self._set_default(table, member)

    def bm_mt_indirect_reset_default_entry(self, table: Indirect) -> None:
        self._loaded.tables.set_default(table, None)

    def bm_mt_indirect_ws_add_entry(
        self, table: Selecting, key: Key, group: ToGroup, options: AddEntryOptions
    ) -> I32:
        return self._add(table, key, group, options)

    def bm_mt_indirect_ws_modify_entry(self, table: Selecting, handle: I32, group: ToGroup) -> None:
        self._modify(table, handle, group)

    def bm_mt_indirect_ws_set_default_group(self, table: Selecting, group: ToGroup) -> None:
        self._set_default(table, group)

    async def bm_mt_get_entries(self, table: Table) -> list[Entry]:
        names, entries = self._loaded.names, self._loaded.tables.entries(table)

        def told() -> list[Entry]:
            return [entry_told(names, table, handle, entry) for handle, entry in entries.items()]

        # To tell of many takes long, and other clients need not wait for it.
        return await asyncio.to_thread(told)

    def bm_mt_get_entry(self, table: Table, handle: I32) -> Entry:
        tables = self._loaded.tables
        found = tables.entry(table, tables.key(table, handle))
        return entry_told(self._loaded.names, table, handle, found)

    def bm_mt_get_default_entry(self, table: Table) -> ActionEntry:
        return action_told(self._loaded.names, self._loaded.tables.default(table))

    def bm_mt_get_entry_from_key(self, table: Table, key: Key, options: AddEntryOptions) -> Entry:
        loaded = self._loaded
        if not key:
            return Entry([], AddEntryOptions(), 0, self.bm_mt_get_default_entry(table))
        with refusals(Codes(other=TableCode.BAD_MATCH_KEY)):
            found = loaded.tables.entry(table, entry_in(table, key, options))
        return entry_told(loaded.names, table, loaded.tables.handle(table, found), found)

    def _add(
        self,
        table: p4i.Table,
        key: Sequence[MatchParam],
        action: p4r.TableAction,
        options: AddEntryOptions,
    ) -> int:
        _check_changeable(table)
        if not table.match_fields:
            raise Refusal(TableCode.NO_TABLE_KEY, f"table {table.preamble.name} has no key")
        entry = entry_in(table, key, options)
        entry.action.CopyFrom(action)
        with refusals(replace(_OF_NEW_ENTRIES, missing=_missing(action))):
            return self._loaded.tables.add(table, entry)

    def _modify(self, table: p4i.Table, handle: int, action: p4r.TableAction) -> None:
        _check_changeable(table)
        tables = self._loaded.tables
        with refusals(replace(OF_ENTRIES, missing=_missing(action))):
            tables.modify(table, tables.key(table, handle), action)

    def _delete(self, table: p4i.Table, handle: int) -> None:
        _check_changeable(table)
        tables = self._loaded.tables
        tables.delete(table, tables.key(table, handle))

    def _set_timeout(self, table: p4i.Table, handle: int, timeout_ms: int) -> None:
        if not table.idle_timeout_behavior:
            reason = f"table {table.preamble.name} has no timeouts"
            raise Refusal(TableCode.AGEING_DISABLED, reason)
        tables, timeout_ns = self._loaded.tables, max(0, timeout_ms) * NS_PER_MS
        tables.set_timeout(table, tables.key(table, handle), timeout_ns)

    def _set_default(self, table: p4i.Table, action: p4r.TableAction) -> None:
        if table.const_default_action_id:
            reason = f"the default of table {table.preamble.name} is constant"
            raise Refusal(TableCode.DEFAULT_ENTRY_IS_CONST, reason)
        with refusals(replace(OF_ENTRIES, missing=_missing(action))):
            self._loaded.tables.set_default(table, action)

    def _action(self, table: p4i.Table, name: str, data: Sequence[bytes]) -> p4r.TableAction:
        actions = self._loaded.names.actions_of_table(table)
        declared = find("action", name, actions, TableCode.INVALID_ACTION_NAME)
        return p4r.TableAction(action=action_of(declared, data))


def _check_changeable(table: p4i.Table) -> None:
    if table.is_const_table:
        reason = f"the program fills table {table.preamble.name}"
        raise Refusal(TableCode.IMMUTABLE_TABLE_ENTRIES, reason)


def _missing(action: p4r.TableAction) -> TableCode:
    """What it is that a switch does not find when an entry is to lead there."""
    return _MISSING.get(action.WhichOneof("type") or "", TableCode.INVALID_HANDLE)


def _wrong_type(table: p4i.Table, reason: str) -> Refusal:
    return Refusal(TableCode.WRONG_TABLE_TYPE, f"table {table.preamble.name}: {reason}")

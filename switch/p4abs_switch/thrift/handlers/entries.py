"""Entries of tables, whether they lead to actions, to members or to groups."""

from collections.abc import Sequence

from p4abs_switch.bmv2.names import Table
from p4abs_switch.engine_types import Action
from p4abs_switch.thrift.actions import arguments_of
from p4abs_switch.thrift.handlers.told_entries import (
    NS_PER_MS,
    action_told,
    entry_told,
    profile_id,
)
from p4abs_switch.thrift.keys import key_of, priority_of
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, I64, Binary, Bool, Text
from p4abs_switch.thrift.refusals import TableCode, engine_refusals
from p4abs_switch.thrift.structures import (
    ActionEntry,
    ActionKind,
    AddEntryOptions,
    Entry,
    MatchParam,
)
from p4abs_switch.thrift.target import Target


class Entries:
    """`bm_mt_...` calls about entries."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mt_get_num_entries(self, cxt_id: I32, table_name: Text) -> I64:
        return len(self._target.engine.table_entries(self._target.table(table_name).name))

    def bm_mt_clear_entries(self, cxt_id: I32, table_name: Text, reset_default_entry: Bool) -> None:
        table = self._target.table(table_name)
        _check_changeable(table)
        for key, priority in self._target.entries(table):
            self._target.engine.table_delete(table.name, key, priority)
        self._target.forget_handles(table)
        if reset_default_entry:
            self._target.engine.table_reset_default(table.name)

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
        action = _action(table, action_name, action_data)
        return self._add(table, match_key, action, options)

    def bm_mt_set_default_action(
        self, cxt_id: I32, table_name: Text, action_name: Text, action_data: list[Binary]
    ) -> None:
        table = self._direct(table_name)
        self._set_default(table, _action(table, action_name, action_data))

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
        self._modify(table, entry_handle, _action(table, action_name, action_data))

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
        return self._add(table, match_key, ("member", profile_id(mbr_handle)), options)

    def bm_mt_indirect_modify_entry(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, mbr_handle: I32
    ) -> None:
        table = self._indirect(table_name)
        self._modify(table, entry_handle, ("member", profile_id(mbr_handle)))

    def bm_mt_indirect_delete_entry(self, cxt_id: I32, table_name: Text, entry_handle: I32) -> None:
        self._delete(self._indirect(table_name), entry_handle)

    def bm_mt_indirect_set_entry_ttl(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, timeout_ms: I32
    ) -> None:
        self._set_timeout(self._indirect(table_name), entry_handle, timeout_ms)

    def bm_mt_indirect_set_default_member(
        self, cxt_id: I32, table_name: Text, mbr_handle: I32
    ) -> None:
        self._set_default(self._indirect(table_name), ("member", profile_id(mbr_handle)))

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
        return self._add(table, match_key, ("group", profile_id(grp_handle)), options)

    def bm_mt_indirect_ws_modify_entry(
        self, cxt_id: I32, table_name: Text, entry_handle: I32, grp_handle: I32
    ) -> None:
        table = self._selecting(table_name)
        self._modify(table, entry_handle, ("group", profile_id(grp_handle)))

    def bm_mt_indirect_ws_set_default_group(
        self, cxt_id: I32, table_name: Text, grp_handle: I32
    ) -> None:
        self._set_default(self._selecting(table_name), ("group", profile_id(grp_handle)))

    def bm_mt_get_entries(self, cxt_id: I32, table_name: Text) -> list[Entry]:
        table = self._target.table(table_name)
        entries = self._target.entries(table)
        handles = self._target.handles(table).adopt(entries)
        return [entry_told(table, handle, entries[place]) for handle, place in handles.items()]

    def bm_mt_get_entry(self, cxt_id: I32, table_name: Text, entry_handle: I32) -> Entry:
        table = self._target.table(table_name)
        place = self._target.handles(table).place(entry_handle)
        with engine_refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            found = self._target.engine.table_entry(table.name, *place)
        return entry_told(table, entry_handle, found)

    def bm_mt_get_default_entry(self, cxt_id: I32, table_name: Text) -> ActionEntry:
        found = self._target.engine.table_default(self._target.table(table_name).name)
        return ActionEntry(ActionKind.NONE) if found is None else action_told(found.action)

    def bm_mt_get_entry_from_key(
        self,
        cxt_id: I32,
        table_name: Text,
        match_key: list[MatchParam],
        options: AddEntryOptions,
    ) -> Entry:
        table = self._target.table(table_name)
        if not match_key:
            default = self.bm_mt_get_default_entry(cxt_id, table_name)
            return Entry([], AddEntryOptions(), 0, default)
        place = key_of(table, match_key), priority_of(table, options)
        with engine_refusals(TableCode.ERROR, missing=TableCode.BAD_MATCH_KEY):
            found = self._target.engine.table_entry(table.name, *place)
        return entry_told(table, self._target.handles(table).of(place), found)

    def _add(
        self,
        table: Table,
        params: Sequence[MatchParam],
        action: Action,
        options: AddEntryOptions,
    ) -> int:
        _check_changeable(table)
        if not table.key:
            raise Refusal(TableCode.NO_TABLE_KEY, f"table {table.name} has no key")
        place = key_of(table, params), priority_of(table, options)
        handles = self._target.handles(table)
        with engine_refusals(
            TableCode.BAD_MATCH_KEY,
            missing=_missing(action),
            exists=TableCode.DUPLICATE_ENTRY,
            full=TableCode.TABLE_FULL,
        ):
            self._target.engine.table_insert(table.name, place[0], action, place[1])
        return handles.add(place)

    def _modify(self, table: Table, handle: int, action: Action) -> None:
        _check_changeable(table)
        key, priority = self._target.handles(table).place(handle)
        engine = self._target.engine
        with engine_refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            timeout_ns = engine.table_entry(table.name, key, priority).idle_timeout_ns
        with engine_refusals(TableCode.ERROR, missing=_missing(action)):
            engine.table_modify(table.name, key, action, priority, timeout_ns)

    def _delete(self, table: Table, handle: int) -> None:
        _check_changeable(table)
        handles = self._target.handles(table)
        place = handles.place(handle)
        with engine_refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            self._target.engine.table_delete(table.name, *place)
        handles.remove(place)

    def _set_timeout(self, table: Table, handle: int, timeout_ms: int) -> None:
        if not table.has_timeouts:
            raise Refusal(TableCode.AGEING_DISABLED, f"table {table.name} has no timeouts")
        key, priority = self._target.handles(table).place(handle)
        engine = self._target.engine
        with engine_refusals(TableCode.ERROR, missing=TableCode.INVALID_HANDLE):
            action = engine.table_entry(table.name, key, priority).action
            engine.table_modify(table.name, key, action, priority, max(0, timeout_ms) * NS_PER_MS)

    def _set_default(self, table: Table, action: Action) -> None:
        if table.has_constant_default:
            reason = f"the default of table {table.name} is constant"
            raise Refusal(TableCode.DEFAULT_ENTRY_IS_CONST, reason)
        with engine_refusals(TableCode.ERROR, missing=_missing(action)):
            self._target.engine.table_set_default(table.name, action)

    def _reset_default(self, table: Table) -> None:
        with engine_refusals(TableCode.ERROR):
            self._target.engine.table_reset_default(table.name)

    def _direct(self, name: str) -> Table:
        table = self._target.table(name)
        if table.profile is not None:
            raise _wrong_type(table, f"its entries lead to members of {table.profile}")
        return table

    def _indirect(self, name: str) -> Table:
        table = self._target.table(name)
        if table.profile is None:
            raise _wrong_type(table, "its entries lead to actions")
        return table

    def _selecting(self, name: str) -> Table:
        table = self._indirect(name)
        if not self._target.profile(str(table.profile)).selects:
            raise _wrong_type(table, f"{table.profile} has no groups")
        return table


def _action(table: Table, name: str, data: Sequence[bytes]) -> Action:
    return "action", name, arguments_of(table.actions, name, data)


def _check_changeable(table: Table) -> None:
    if table.has_own_entries:
        reason = f"the program fills table {table.name}"
        raise Refusal(TableCode.IMMUTABLE_TABLE_ENTRIES, reason)


def _missing(action: Action) -> TableCode:
    """What it is that an engine does not find when an entry is to lead there."""
    codes = {"member": TableCode.INVALID_MBR_HANDLE, "group": TableCode.INVALID_GRP_HANDLE}
    return codes.get(action[0], TableCode.INVALID_HANDLE)


def _wrong_type(table: Table, reason: str) -> Refusal:
    return Refusal(TableCode.WRONG_TABLE_TYPE, f"table {table.name}: {reason}")

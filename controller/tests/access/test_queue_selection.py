"""Entries of queue_selection: only those that control has written are deleted."""

import pytest
from finsy.proto import p4i, p4r
from p4abs.access.tables import Selected, SelectionTable
from p4abs.access.tables.form import forms_of

VOICE, VIDEO, BULK = Selected(2, 46), Selected(2, 34), Selected(3, 46)


def p4info() -> p4i.P4Info:
    """Of a program with the table of p4src/queue_selection.p4."""
    found = p4i.P4Info()
    action = found.actions.add()
    action.preamble.id, action.preamble.name = 7, "AbsIngress.queue_selection.set_queue"
    action.params.add(id=1, name="queue", bitwidth=3)
    keep = found.actions.add()
    keep.preamble.id = 8
    table = found.tables.add()
    table.preamble.id, table.preamble.name = 9, "AbsIngress.queue_selection.queue_selection"
    table.match_fields.add(id=1, name="egress_port", bitwidth=9)
    table.match_fields.add(id=2, name="dscp", bitwidth=6)
    table.action_refs.add(id=7)
    table.action_refs.add(id=8, scope=p4i.ActionRef.DEFAULT_ONLY)
    return found


class Switch:
    """Holds the entries of one table; refuses what a switch refuses."""

    def __init__(self) -> None:
        self.entries: dict[tuple[int, ...], p4r.TableEntry] = {}
        self.kinds: list[str] = []

    async def read(self, _asked: object, _timeout_s: float) -> list[p4r.Entity]:
        return [p4r.Entity(table_entry=entry) for entry in self.entries.values()]

    async def write(self, updates: list[p4r.Update], _timeout_s: float) -> None:
        for update in updates:
            entry = update.entity.table_entry
            key = tuple(int.from_bytes(each.exact.value) for each in entry.match)
            assert (key in self.entries) is (update.type != p4r.Update.INSERT)
            self.kinds.append(p4r.Update.Type.Name(update.type))
            if update.type == p4r.Update.DELETE:
                del self.entries[key]
            else:
                self.entries[key] = entry


@pytest.fixture
def switch() -> Switch:
    return Switch()


@pytest.fixture
def table(switch) -> SelectionTable:
    return SelectionTable(switch, p4info())


async def write_as_others(switch: Switch, entries: dict[Selected, int]) -> None:
    [form] = forms_of(p4info(), ["queue_selection"]).values()
    wanted = {key: (queue,) for key, queue in entries.items()}
    await switch.write([*form.changes({}, wanted)], 1.0)


async def test_what_is_written_is_read_back(switch, table) -> None:
    assert await table.write({VOICE: 7, BULK: 0}, ()) == {}
    assert await table.read() == {VOICE: 7, BULK: 0}
    assert await table.write({VOICE: 7, BULK: 0}, ()) == {}
    assert switch.kinds == ["INSERT", "INSERT"]


async def test_only_entries_of_control_are_deleted_also_those_of_an_earlier_run(
    switch, table
) -> None:
    await write_as_others(switch, {VIDEO: 5, BULK: 1})
    await table.write({VOICE: 7, BULK: 1}, ())
    later = SelectionTable(switch, p4info())
    assert await later.write({}, ()) == {VOICE: 7}
    assert await later.read() == {VIDEO: 5, BULK: 1}
    assert await later.write({}, ()) == {}


async def test_an_entry_of_another_queue_is_changed_and_is_then_of_control(switch, table) -> None:
    await write_as_others(switch, {VOICE: 3})
    await table.write({VOICE: 7}, ())
    assert await table.read() == {VOICE: 7}
    assert switch.kinds == ["INSERT", "MODIFY"]
    assert await table.write({}, ()) == {VOICE: 7}


async def test_entries_of_ports_to_keep_stay(switch, table) -> None:
    await table.write({VOICE: 7, BULK: 1}, ())
    assert await table.write({}, {VOICE.port}) == {BULK: 1}
    assert await table.read() == {VOICE: 7}

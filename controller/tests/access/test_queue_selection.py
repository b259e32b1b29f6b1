"""Entries of queue_selection: only those that control has written are taken back."""

import pytest
from finsy.proto import p4i, p4r
from p4abs.access.tables import Selected, SelectionTable

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


async def test_what_is_written_is_read_back(switch, table) -> None:
    own: set[Selected] = set()
    await table.write({VOICE: 7, BULK: 0}, own)
    assert await table.read() == {VOICE: 7, BULK: 0}
    assert own == {VOICE, BULK}
    await table.write({VOICE: 7, BULK: 0}, own)
    assert switch.kinds == ["INSERT", "INSERT"]


async def test_only_own_entries_are_taken_back(switch, table) -> None:
    await table.write({VIDEO: 5, BULK: 1}, set())  # somebody else
    own: set[Selected] = set()
    await table.write({VOICE: 7, BULK: 1}, own)
    assert own == {VOICE}
    await table.write({}, own)
    assert await table.read() == {VIDEO: 5, BULK: 1}
    assert own == set()


async def test_an_entry_of_another_queue_is_changed(switch, table) -> None:
    await table.write({VOICE: 3}, set())
    await table.write({VOICE: 7}, own := set())
    assert await table.read() == {VOICE: 7}
    assert (own, switch.kinds) == ({VOICE}, ["INSERT", "MODIFY"])
    switch.entries.clear()  # the switch has started anew
    await table.write({}, own)
    assert own == set()

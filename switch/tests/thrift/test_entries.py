"""Entries of tables over Thrift; programs/router.p4, kinds.p4 and resources.p4."""

from types import SimpleNamespace

import pytest
from p4abs_switch.runtime.actions import build
from p4abs_switch.runtime.matches import entry_of_key
from p4abs_switch.runtime.tables import Tables
from p4abs_switch.thrift.refusals import TableCode

from .conftest import (
    BMV2,
    NO_OPTIONS,
    PROGRAMS,
    Start,
    between,
    exact,
    prefix,
    refused,
    ternary,
)

ROUTES, HOP = "RouterIngress.routes", "RouterIngress.route"
ACL = "KindsIngress.acl"
TO_PORT_2 = [b"\x0a\0\0\1", b"\0\2"]
ETHER_TYPE_IPV4 = 0x0800


@pytest.fixture
def router(start: Start) -> SimpleNamespace:
    return start(PROGRAMS / "router.json")


@pytest.fixture
def kinds(start: Start) -> SimpleNamespace:
    return start(PROGRAMS / "kinds.json")


def add_route(client, network: int, length: int = 24) -> int:
    key = [prefix(network, 4, length)]
    handle: int = client.bm_mt_add_entry(0, ROUTES, key, HOP, TO_PORT_2, NO_OPTIONS)
    return handle


def test_an_entry_reads_back_as_it_was_written(router: SimpleNamespace) -> None:
    handle = add_route(router.client, 0x0A000100)
    [entry] = router.client.bm_mt_get_entries(0, ROUTES)
    assert entry == router.client.bm_mt_get_entry(0, ROUTES, handle)
    assert entry.key == [prefix(0x0A000100, 4, 24)]
    assert (entry.handle, entry.options.priority, entry.life) == (handle, -1, None)
    shortest = [b"\x0a\0\0\1", b"\2"]
    assert entry.action == BMV2.ActionEntry(type=1, name=HOP, data=shortest)
    assert router.client.bm_mt_get_num_entries(0, ROUTES) == 1


def test_an_entry_decides_where_a_packet_goes(kinds: SimpleNamespace) -> None:
    station, out = 0x020000000001, 3
    frame = station.to_bytes(6, "big") + bytes(6) + b"\x08\x00" + bytes(46)
    table, forward = "KindsIngress.stations", "KindsIngress.forward"
    data = [out.to_bytes(2, "big")]
    key = [exact(station, 6)]
    handle = kinds.client.bm_mt_add_entry(0, table, key, forward, data, NO_OPTIONS)
    kinds.engine.inject(1, frame, 1)
    assert kinds.engine.run_until(1) == [(1, out, frame)]
    kinds.client.bm_mt_modify_entry(0, table, handle, forward, [b"\0\4"])
    kinds.engine.inject(1, frame, 2)
    assert kinds.engine.run_until(2) == [(2, 4, frame)]
    kinds.client.bm_mt_delete_entry(0, table, handle)
    kinds.engine.inject(1, frame, 3)
    assert kinds.engine.run_until(3) == []


def test_the_entry_that_matches_all_is_changed_alone(router: SimpleNamespace) -> None:
    """P4Runtime reads its key, which is empty, as a wish for every entry."""
    longer = add_route(router.client, 0x0A000100)
    everything = add_route(router.client, 0, 0)
    unchanged = router.client.bm_mt_get_entry(0, ROUTES, longer)
    router.client.bm_mt_modify_entry(0, ROUTES, everything, HOP, [b"\x0a\0\0\2", b"\0\3"])
    assert router.client.bm_mt_get_entry(0, ROUTES, longer) == unchanged
    changed = router.client.bm_mt_get_entry(0, ROUTES, everything).action
    assert changed == BMV2.ActionEntry(type=1, name=HOP, data=[b"\x0a\0\0\2", b"\3"])


def test_of_two_entries_the_lower_priority_wins(kinds: SimpleNamespace) -> None:
    everything = [ternary(0, 0, 2), between(0, 2**48 - 1, 6), ternary(0, 0, 2)]
    for port, priority in ((2, 20), (3, 10), (4, 30)):
        options = BMV2.Options(priority)
        data = [port.to_bytes(2, "big")]
        kinds.client.bm_mt_add_entry(0, ACL, everything, "KindsIngress.forward", data, options)
    frame = bytes(12) + b"\x08\x00" + bytes(46)
    kinds.engine.inject(1, frame, 1)
    assert [port for _, port, _ in kinds.engine.run_until(1)] == [3]
    found = kinds.client.bm_mt_get_entry_from_key(0, ACL, everything, BMV2.Options(30))
    assert (found.handle, found.options.priority, found.action.data) == (2, 30, [b"\4"])
    assert found.key == everything


def test_bits_that_a_mask_leaves_out_say_nothing(kinds: SimpleNamespace) -> None:
    """Nor do they make another entry of it."""
    anywhere = between(0, 2**48 - 1, 6), ternary(0, 0, 2)
    ipv4_like = [ternary(0x08FF, 0xFF00, 2), *anywhere]
    options, data = BMV2.Options(10), [b"\0\3"]
    add = kinds.client.bm_mt_add_entry
    add(0, ACL, ipv4_like, "KindsIngress.forward", data, options)
    again = [ternary(0x0800, 0xFF00, 2), *anywhere]
    refused(TableCode.DUPLICATE_ENTRY, add, 0, ACL, again, "KindsIngress.forward", data, options)
    [entry] = kinds.client.bm_mt_get_entries(0, ACL)
    assert entry.key == again
    for now, (ether_type, ports) in enumerate(((0x0806, [3]), (0x8847, [])), start=1):
        kinds.engine.inject(1, bytes(12) + ether_type.to_bytes(2, "big") + bytes(46), now)
        assert [port for _, port, _ in kinds.engine.run_until(now)] == ports


def test_a_prefix_of_no_bits_is_of_everything(router: SimpleNamespace) -> None:
    add_route(router.client, 0x0A000001, length=0)
    [entry] = router.client.bm_mt_get_entries(0, ROUTES)
    assert entry.key == [prefix(0, 4, 0)]
    refused(TableCode.DUPLICATE_ENTRY, add_route, router.client, 0x0B000001, 0)


def test_numbers_of_entries_are_given_again_and_old_handles_have_expired(
    router: SimpleNamespace,
) -> None:
    client = router.client
    assert [add_route(client, network << 8) for network in range(3)] == [0, 1, 2]
    client.bm_mt_delete_entry(0, ROUTES, 1)
    refused(TableCode.INVALID_HANDLE, client.bm_mt_delete_entry, 0, ROUTES, 1)
    assert add_route(client, 7 << 8) == 1 << 24 | 1
    refused(TableCode.EXPIRED_HANDLE, client.bm_mt_delete_entry, 0, ROUTES, 1)
    client.bm_mt_clear_entries(0, ROUTES, False)
    assert client.bm_mt_get_entries(0, ROUTES) == []
    assert add_route(client, 8 << 8) == 0


def test_entries_that_others_add_and_remove_are_seen(router: SimpleNamespace) -> None:
    add_route(router.client, 1 << 8)
    others = Tables(router.local)
    table = router.local.names.table(ROUTES)
    added = entry_of_key(table, [(2 << 8, 24)], 0)
    hop = router.local.names.action_of_table(HOP, table)
    added.action.action.CopyFrom(build(hop, [1, 2]))
    others.add(table, added)
    handles = [entry.handle for entry in router.client.bm_mt_get_entries(0, ROUTES)]
    assert handles == [0, 1]
    others.delete(table, entry_of_key(table, [(1 << 8, 24)], 0))
    refused(TableCode.INVALID_HANDLE, router.client.bm_mt_get_entry, 0, ROUTES, 0)
    assert [entry.handle for entry in router.client.bm_mt_get_entries(0, ROUTES)] == [1]


def test_what_a_call_names_wrongly_is_refused_with_bmv2_s_codes(router: SimpleNamespace) -> None:
    add = router.client.bm_mt_add_entry
    key, other_kind, other_width = prefix(5, 4, 32), exact(5, 4), prefix(5, 3, 8)
    calls = [
        (TableCode.INVALID_TABLE_NAME, "routes", [key], HOP, TO_PORT_2),
        (TableCode.INVALID_ACTION_NAME, ROUTES, [key], "route", TO_PORT_2),
        (TableCode.BAD_ACTION_DATA, ROUTES, [key], HOP, TO_PORT_2[:1]),
        (TableCode.BAD_ACTION_DATA, ROUTES, [key], HOP, [b"\1", b"\2\0"]),
        (TableCode.BAD_MATCH_KEY, ROUTES, [], HOP, TO_PORT_2),
        (TableCode.BAD_MATCH_KEY, ROUTES, [other_kind], HOP, TO_PORT_2),
        (TableCode.BAD_MATCH_KEY, ROUTES, [other_width], HOP, TO_PORT_2),
        (TableCode.BAD_MATCH_KEY, ROUTES, [prefix(5, 4, 33)], HOP, TO_PORT_2),
        (TableCode.BAD_MATCH_KEY, ROUTES, [BMV2.Param(BMV2.Kind.LPM)], HOP, TO_PORT_2),
    ]
    for code, table, fields, action, data in calls:
        refused(code, add, 0, table, fields, action, data, NO_OPTIONS)
    add_route(router.client, 5 << 8)
    refused(TableCode.DUPLICATE_ENTRY, add_route, router.client, 5 << 8)
    assert router.client.bm_mt_get_num_entries(0, ROUTES) == 1


def test_what_the_program_has_fixed_stays(kinds: SimpleNamespace) -> None:
    fixed, punt = "KindsIngress.fixed", "KindsIngress.punt"
    before = kinds.client.bm_mt_get_entries(0, fixed)
    assert len(before) > 0
    code = TableCode.IMMUTABLE_TABLE_ENTRIES
    refused(code, kinds.client.bm_mt_clear_entries, 0, fixed, False)
    refused(code, kinds.client.bm_mt_delete_entry, 0, fixed, before[0].handle)
    add = kinds.client.bm_mt_add_entry
    refused(code, add, 0, fixed, [exact(9, 2)], punt, [b"\1"], NO_OPTIONS)
    assert kinds.client.bm_mt_get_entries(0, fixed) == before
    constant = TableCode.DEFAULT_ENTRY_IS_CONST
    set_default = kinds.client.bm_mt_set_default_action
    refused(constant, set_default, 0, "KindsIngress.stations", "KindsIngress.drop", [])
    keyless = "KindsIngress.keyless"
    refused(TableCode.NO_TABLE_KEY, add, 0, keyless, [], "NoAction", [], NO_OPTIONS)


def test_a_default_is_set_told_and_reset(router: SimpleNamespace) -> None:
    declared = router.client.bm_mt_get_default_entry(0, ROUTES)
    router.client.bm_mt_set_default_action(0, ROUTES, HOP, TO_PORT_2)
    default = router.client.bm_mt_get_default_entry(0, ROUTES)
    assert (default.name, default.data) == (HOP, [b"\x0a\0\0\1", b"\2"])
    by_no_key = router.client.bm_mt_get_entry_from_key(0, ROUTES, [], NO_OPTIONS)
    assert by_no_key.action == default
    router.client.bm_mt_reset_default_entry(0, ROUTES)
    assert router.client.bm_mt_get_default_entry(0, ROUTES) == declared != default


def test_an_entry_times_out_when_it_is_told_to(start: Start) -> None:
    client = start(PROGRAMS / "resources.json").client
    table = "ResourcesIngress.sources"
    handle = client.bm_mt_add_entry(0, table, [exact(1, 6)], "NoAction", [], NO_OPTIONS)
    assert client.bm_mt_get_entry(0, table, handle).life is None
    client.bm_mt_set_entry_ttl(0, table, handle, 1500)
    assert client.bm_mt_get_entry(0, table, handle).life == BMV2.Life(1500, 0)
    client.bm_mt_modify_entry(0, table, handle, "NoAction", [])
    assert client.bm_mt_get_entry(0, table, handle).life == BMV2.Life(1500, 0)
    hits = "ResourcesIngress.hits"
    other = client.bm_mt_add_entry(0, hits, [exact(1, 2)], "NoAction", [], NO_OPTIONS)
    refused(TableCode.AGEING_DISABLED, client.bm_mt_set_entry_ttl, 0, hits, other, 1500)

"""Members and groups of action profiles over Thrift; programs/resources.p4."""

import pytest
from p4abs_switch.thrift.refusals import TableCode

from .conftest import BMV2, NO_OPTIONS, PROGRAMS, Start, exact, prefix, refused

HOPS, ROUTES = "ResourcesIngress.next_hops", "ResourcesIngress.routes"
PATHS, BALANCED = "ResourcesIngress.paths", "ResourcesIngress.balanced"
FORWARD = "ResourcesIngress.forward"
MEMBER, GROUP = 2, 3  # kinds of what an entry leads to


@pytest.fixture
def client(start: Start):
    return start(PROGRAMS / "resources.json").client


def add_member(client, profile: str, port: int) -> int:
    handle: int = client.bm_mt_act_prof_add_member(0, profile, FORWARD, [port.to_bytes(2, "big")])
    return handle


def test_members_are_numbered_from_0_and_read_back(client) -> None:
    assert [add_member(client, HOPS, port) for port in (3, 4, 5)] == [0, 1, 2]
    client.bm_mt_act_prof_delete_member(0, HOPS, 1)
    assert add_member(client, HOPS, 6) == 1
    client.bm_mt_act_prof_modify_member(0, HOPS, 2, FORWARD, [b"\0\7"])
    members = client.bm_mt_act_prof_get_members(0, HOPS)
    assert members == [
        BMV2.Member(n, FORWARD, [data]) for n, data in enumerate([b"\3", b"\6", b"\7"])
    ]
    assert client.bm_mt_act_prof_get_member(0, HOPS, 2) == members[2]
    refused(TableCode.INVALID_MBR_HANDLE, client.bm_mt_act_prof_get_member, 0, HOPS, 3)
    refused(TableCode.INVALID_MBR_HANDLE, client.bm_mt_act_prof_delete_member, 0, HOPS, -1)


def test_an_entry_leads_to_a_member_which_then_stays(client) -> None:
    member = add_member(client, HOPS, 3)
    key = [prefix(0, 6, 16)]
    handle = client.bm_mt_indirect_add_entry(0, ROUTES, key, member, NO_OPTIONS)
    [entry] = client.bm_mt_get_entries(0, ROUTES)
    assert entry.action == BMV2.ActionEntry(type=MEMBER, member=member)
    refused(TableCode.MBR_STILL_USED, client.bm_mt_act_prof_delete_member, 0, HOPS, member)
    other = add_member(client, HOPS, 4)
    client.bm_mt_indirect_modify_entry(0, ROUTES, handle, other)
    client.bm_mt_act_prof_delete_member(0, HOPS, member)
    missing = TableCode.INVALID_MBR_HANDLE
    refused(missing, client.bm_mt_indirect_modify_entry, 0, ROUTES, handle, member)
    client.bm_mt_indirect_delete_entry(0, ROUTES, handle)
    client.bm_mt_indirect_set_default_member(0, ROUTES, other)
    assert client.bm_mt_get_default_entry(0, ROUTES).member == other
    client.bm_mt_indirect_reset_default_entry(0, ROUTES)
    assert client.bm_mt_get_default_entry(0, ROUTES).member is None


def test_groups_gain_and_lose_members(client) -> None:
    members = [add_member(client, PATHS, port) for port in (3, 4)]
    group = client.bm_mt_act_prof_create_group(0, PATHS)
    assert (group, client.bm_mt_act_prof_create_group(0, PATHS)) == (0, 1)
    for member in members:
        client.bm_mt_act_prof_add_member_to_group(0, PATHS, member, group)
    assert client.bm_mt_act_prof_get_group(0, PATHS, group) == BMV2.Group(group, members)
    again = client.bm_mt_act_prof_add_member_to_group, 0, PATHS, members[0], group
    refused(TableCode.MBR_ALREADY_IN_GRP, *again)
    client.bm_mt_act_prof_remove_member_from_group(0, PATHS, members[0], group)
    away = client.bm_mt_act_prof_remove_member_from_group, 0, PATHS, members[0], group
    refused(TableCode.MBR_NOT_IN_GRP, *away)
    assert [each.members for each in client.bm_mt_act_prof_get_groups(0, PATHS)] == [[1], []]
    missing = TableCode.INVALID_GRP_HANDLE
    refused(missing, client.bm_mt_act_prof_add_member_to_group, 0, PATHS, members[0], 5)


def test_an_entry_leads_to_a_group_which_then_stays(client) -> None:
    group = client.bm_mt_act_prof_create_group(0, PATHS)
    client.bm_mt_act_prof_add_member_to_group(0, PATHS, add_member(client, PATHS, 3), group)
    key = [exact(9, 6)]
    handle = client.bm_mt_indirect_ws_add_entry(0, BALANCED, key, group, NO_OPTIONS)
    entry = client.bm_mt_get_entry(0, BALANCED, handle)
    assert entry.action == BMV2.ActionEntry(type=GROUP, group=group)
    refused(TableCode.GRP_STILL_USED, client.bm_mt_act_prof_delete_group, 0, PATHS, group)
    other = client.bm_mt_act_prof_create_group(0, PATHS)
    client.bm_mt_indirect_ws_modify_entry(0, BALANCED, handle, other)
    client.bm_mt_act_prof_delete_group(0, PATHS, group)
    client.bm_mt_indirect_ws_set_default_group(0, BALANCED, other)
    assert client.bm_mt_get_default_entry(0, BALANCED).group == other


def test_calls_for_another_kind_of_table_are_refused(client) -> None:
    code, direct = TableCode.WRONG_TABLE_TYPE, "ResourcesIngress.hits"
    add = client.bm_mt_indirect_add_entry
    refused(code, add, 0, direct, [exact(1, 2)], 0, NO_OPTIONS)
    add = client.bm_mt_add_entry
    refused(code, add, 0, ROUTES, [prefix(0, 6, 8)], FORWARD, [b"\1"], NO_OPTIONS)
    add = client.bm_mt_indirect_ws_add_entry
    refused(code, add, 0, ROUTES, [prefix(0, 6, 8)], 0, NO_OPTIONS)
    create = client.bm_mt_act_prof_create_group
    refused(TableCode.NO_ACTION_PROFILE_SELECTION, create, 0, HOPS)
    refused(TableCode.INVALID_ACTION_PROFILE_NAME, create, 0, "nothing")

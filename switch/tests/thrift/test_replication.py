"""Multicast nodes and mirroring over Thrift; programs/resources.p4 floods and mirrors."""

import json
from types import SimpleNamespace

import pytest
from p4abs_switch.runtime.replication import Replication
from p4abs_switch.thrift.refusals import MirroringCode, MulticastCode

from .conftest import BMV2, PROGRAMS, Start, refused

GROUP, SESSION = 7, 5


@pytest.fixture
def started(start: Start) -> SimpleNamespace:
    return start(PROGRAMS / "resources.json")


def digits(*ports: int) -> str:
    """A map: a digit for each port, port 0 last."""
    return f"{sum(1 << port for port in ports):b}"


def replicas(started: SimpleNamespace, group: int = GROUP) -> list[tuple[int, int]]:
    return sorted(Replication(started.local).adopt(group))


def test_a_group_has_the_ports_of_its_nodes(started: SimpleNamespace) -> None:
    client = started.client
    assert client.bm_mc_mgrp_create(0, GROUP) == GROUP
    first = client.bm_mc_node_create(0, 1, digits(2, 3), "")
    second = client.bm_mc_node_create(0, 9, digits(4), "")
    assert (first, second) == (0, 1)
    for node in (first, second):
        client.bm_mc_node_associate(0, GROUP, node)
    assert replicas(started) == [(2, 1), (3, 1), (4, 9)]
    client.bm_mc_node_update(0, first, digits(5), "")
    assert replicas(started) == [(4, 9), (5, 1)]
    client.bm_mc_node_dissociate(0, GROUP, second)
    assert replicas(started) == [(5, 1)]
    client.bm_mc_node_destroy(0, first)
    assert replicas(started) == []
    assert client.bm_mc_node_create(0, 1, digits(6), "") == first
    client.bm_mc_mgrp_destroy(0, GROUP)
    assert Replication(started.local).groups() == []


def test_a_lag_sends_by_one_of_its_ports(started: SimpleNamespace) -> None:
    client = started.client
    client.bm_mc_mgrp_create(0, GROUP)
    client.bm_mc_node_associate(0, GROUP, client.bm_mc_node_create(0, 1, digits(2), digits(3)))
    assert replicas(started) == [(2, 1)]
    client.bm_mc_set_lag_membership(0, 3, digits(4, 6))
    assert replicas(started) == [(2, 1), (6, 1)]
    dump = json.loads(client.bm_mc_get_entries(0))
    assert dump["mgrps"] == [{"id": GROUP, "l1_handles": [0]}]
    assert dump["l1_handles"] == [{"handle": 0, "rid": 1, "l2_handle": 0}]
    assert dump["l2_handles"] == [{"handle": 0, "ports": [2], "lags": [3]}]
    assert dump["lags"] == [{"id": 3, "ports": [4, 6]}]


def test_groups_that_others_made_keep_their_replicas(started: SimpleNamespace) -> None:
    others = Replication(started.local)
    others.create_group(GROUP)
    others.associate(GROUP, others.create_node(4, [1]))
    client = started.client
    assert client.bm_mc_mgrp_create(0, GROUP) == GROUP
    client.bm_mc_node_associate(0, GROUP, client.bm_mc_node_create(0, 5, digits(2), ""))
    assert replicas(started) == [(1, 4), (2, 5)]


@pytest.mark.parametrize(("group", "other"), [(1, 2), (2, 1)])
def test_what_the_engine_refuses_of_a_node_or_a_lag_changes_no_group(
    started: SimpleNamespace, group: int, other: int
) -> None:
    """Whichever group it comes to first."""
    client = started.client
    twice = 6  # in the other group already, of the same instance
    node = client.bm_mc_node_create(0, 1, digits(2), digits(3))
    for each in (group, other):
        client.bm_mc_mgrp_create(0, each)
        client.bm_mc_node_associate(0, each, node)
    client.bm_mc_node_associate(0, other, client.bm_mc_node_create(0, 1, digits(twice), ""))
    client.mirroring_session_add(SESSION, BMV2.Mirror(mgid=group))
    refused(MulticastCode.ERROR, client.bm_mc_node_update, 0, node, digits(twice), "")
    refused(MulticastCode.ERROR, client.bm_mc_set_lag_membership, 0, 3, digits(twice))
    assert replicas(started, group) == [(2, 1)]
    assert sent_by(started) == [2]
    client.bm_mc_node_dissociate(0, group, node)
    assert replicas(started, group) == []


def test_a_session_that_another_controller_has_removed_is_no_hindrance(
    started: SimpleNamespace,
) -> None:
    client = started.client
    client.bm_mc_mgrp_create(0, GROUP)
    client.mirroring_session_add(SESSION, BMV2.Mirror(mgid=GROUP))
    Replication(started.local).delete_session(SESSION)
    client.bm_mc_node_associate(0, GROUP, client.bm_mc_node_create(0, 1, digits(2), ""))
    assert replicas(started) == [(2, 1)]


def test_groups_and_nodes_that_are_not_there_are_refused(started: SimpleNamespace) -> None:
    client = started.client
    group, node = MulticastCode.INVALID_MGRP_HANDLE, MulticastCode.INVALID_L1_HANDLE
    refused(group, client.bm_mc_node_associate, 0, GROUP, 0)
    client.bm_mc_mgrp_create(0, GROUP)
    refused(node, client.bm_mc_node_associate, 0, GROUP, 0)
    client.bm_mc_node_create(0, 1, digits(2), "")
    refused(MulticastCode.ERROR, client.bm_mc_node_dissociate, 0, GROUP, 0)
    without_ports = client.bm_mc_node_create(0, 1, "", "")
    for associated in (0, without_ports):
        client.bm_mc_node_associate(0, GROUP, associated)
        refused(MulticastCode.ERROR, client.bm_mc_node_associate, 0, GROUP, associated)
    refused(node, client.bm_mc_node_destroy, 0, -1)
    for number in (1 << 16, -1):
        refused(MulticastCode.INVALID_MGID, client.bm_mc_mgrp_create, 0, number)
    refused(MulticastCode.ERROR, client.bm_mc_node_create, 0, 1, "2", "")
    refused(MulticastCode.ERROR, client.bm_mc_node_create, 0, 1 << 16, "1", "")


def sent_by(started: SimpleNamespace) -> list[int]:
    """Where the clones of the session go."""
    return sorted(port for port, _ in Replication(started.local).session(SESSION))


def test_a_session_mirrors_to_a_port_to_a_group_or_to_both(started: SimpleNamespace) -> None:
    client = started.client
    client.mirroring_session_add(SESSION, BMV2.Mirror(port=2))
    assert client.mirroring_session_get(SESSION) == BMV2.Mirror(port=2)
    assert sent_by(started) == [2]
    client.mirroring_session_add(SESSION, BMV2.Mirror(port=2, mgid=GROUP))
    assert sent_by(started) == [2]
    client.bm_mc_mgrp_create(0, GROUP)
    client.bm_mc_node_associate(0, GROUP, client.bm_mc_node_create(0, 1, digits(3, 4), ""))
    assert sent_by(started) == [2, 3, 4]
    assert client.mirroring_session_get(SESSION) == BMV2.Mirror(port=2, mgid=GROUP)
    client.bm_mc_mgrp_destroy(0, GROUP)
    assert sent_by(started) == [2]
    client.mirroring_session_delete(SESSION)
    for call in (client.mirroring_session_delete, client.mirroring_session_get):
        refused(MirroringCode.SESSION_NOT_FOUND, call, SESSION)


def test_a_session_may_have_the_number_0(started: SimpleNamespace) -> None:
    started.client.mirroring_session_add(0, BMV2.Mirror(port=2))
    assert started.client.mirroring_session_get(0) == BMV2.Mirror(port=2)
    refused(
        MirroringCode.SESSION_NOT_FOUND,
        started.client.mirroring_session_add,
        1 << 15,
        BMV2.Mirror(port=2),
    )


def test_the_older_calls_for_mirroring_answer_with_numbers(started: SimpleNamespace) -> None:
    client = started.client
    assert client.mirroring_mapping_get_egress_port(SESSION) == -1
    assert client.mirroring_mapping_add(SESSION, 3) == 0
    assert client.mirroring_mapping_get_egress_port(SESSION) == 3
    assert client.mirroring_mapping_delete(SESSION) == 0
    assert client.mirroring_mapping_delete(SESSION) == 1
    assert client.mirroring_mapping_add(-1, 3) == 1

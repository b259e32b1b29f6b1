"""The program, the ports and the queues over Thrift."""

import hashlib
from types import SimpleNamespace

import pytest
from p4abs_switch.runtime.replication import Replication
from p4abs_switch.thrift.refusals import IdCode, PortCode, SwapCode, TableCode
from thriftpy2.thrift import TApplicationException

from .conftest import BMV2, NO_OPTIONS, PROGRAMS, Start, exact, prefix, refused
from .test_entries import ROUTES, TO_PORT_2, add_route

KINDS = (PROGRAMS / "kinds.json").read_text()
ROUTER = (PROGRAMS / "router.json").read_text()


@pytest.fixture
def router(start: Start) -> SimpleNamespace:
    return start(PROGRAMS / "router.json")


def test_the_program_and_its_digest_are_told(router: SimpleNamespace) -> None:
    assert router.client.bm_get_config() == ROUTER
    digest = hashlib.md5(ROUTER.encode(), usedforsecurity=False).digest()
    assert router.client.bm_get_config_md5() == digest


def test_another_program_runs_when_it_is_swapped_in(router: SimpleNamespace) -> None:
    client = router.client
    add_route(client, 1 << 8)
    refused(SwapCode.NO_ONGOING_SWAP, client.bm_swap_configs)
    client.bm_load_new_config(KINDS)
    assert client.bm_mt_get_num_entries(0, ROUTES) == 1
    client.bm_swap_configs()
    assert client.bm_get_config() == KINDS
    refused(TableCode.INVALID_TABLE_NAME, client.bm_mt_get_num_entries, 0, ROUTES)
    table = "KindsIngress.stations"
    data = [b"\0\3"]
    key = [exact(1, 6)]
    assert client.bm_mt_add_entry(0, table, key, "KindsIngress.forward", data, NO_OPTIONS) == 0


def test_a_program_that_is_refused_says_why_and_changes_nothing(router: SimpleNamespace) -> None:
    with pytest.raises(TApplicationException, match="the program is refused: "):
        router.client.bm_load_new_config("{}")
    refused(SwapCode.NO_ONGOING_SWAP, router.client.bm_swap_configs)
    assert router.client.bm_get_config() == ROUTER


def test_a_reset_takes_entries_groups_and_handles_away(router: SimpleNamespace) -> None:
    client = router.client
    assert [add_route(client, network << 8) for network in (1, 2)] == [0, 1]
    client.bm_mc_mgrp_create(0, 3)
    client.bm_reset_state()
    assert client.bm_mt_get_num_entries(0, ROUTES) == 0
    assert Replication(router.local).groups() == []
    assert add_route(client, 3 << 8) == 0


def test_objects_have_the_ids_of_the_program(router: SimpleNamespace) -> None:
    client, match_table = router.client, 0
    assert client.bm_get_id_from_name(0, match_table, ROUTES) == 0
    find = client.bm_get_id_from_name
    refused(IdCode.INVALID_RESOURCE_NAME, find, 0, match_table, "routes")
    refused(IdCode.INVALID_RESOURCE_TYPE, find, 0, 99, ROUTES)


def test_the_switch_tells_its_device_and_where_it_is_served(router: SimpleNamespace) -> None:
    info = router.client.bm_mgmt_get_info()
    assert (info.device_id, info.thrift_port) == (1, router.switch.thrift_port)
    assert info.notifications == router.notifications


def test_what_is_not_served_is_said(router: SimpleNamespace) -> None:
    with pytest.raises(TApplicationException, match="does not save its state"):
        router.client.bm_serialize_state()
    with pytest.raises(TApplicationException, match="there is no call standard:bm_no_such_call"):
        router.client.bm_no_such_call()


def test_ports_are_told_added_and_removed(router: SimpleNamespace) -> None:
    client = router.client
    before = [port.number for port in client.bm_dev_mgr_show_ports()]
    assert before == list(range(8))
    client.bm_dev_mgr_add_port("veth77", 77, "")
    assert client.bm_dev_mgr_show_ports()[-1] == BMV2.Port(77, "veth77", True, {})
    for interface, port, captures in [
        ("veth77", 78, ""),
        ("v", 77, ""),
        ("v", 78, "file"),
        ("v", -1, ""),
    ]:
        refused(PortCode.ERROR, client.bm_dev_mgr_add_port, interface, port, captures)
    client.bm_dev_mgr_remove_port(77)
    assert [port.number for port in client.bm_dev_mgr_show_ports()] == before
    for port in (77, -1, 2**31 - 1):
        refused(PortCode.ERROR, client.bm_dev_mgr_remove_port, port)


def test_queues_have_the_depth_that_they_are_given(router: SimpleNamespace) -> None:
    client = router.client
    assert client.set_all_egress_queue_depths(5) == 0
    assert client.set_egress_queue_depth(2, 1) == 0
    assert client.set_egress_priority_queue_depth(2, 0, 1) == 0
    assert client.set_all_egress_queue_rates(1000) == 0
    assert client.set_egress_queue_rate(2, 1) == 0
    assert client.set_egress_priority_queue_rate(2, 0, 1) == 0
    assert client.set_egress_queue_depth(99, 1) == 1
    assert client.set_egress_queue_rate(2, -1) == 1
    assert client.get_time_elapsed_us() == router.engine.now_us()
    assert client.get_time_since_epoch_us() > 1e15


def test_a_rate_holds_packets_back(start: Start) -> None:
    started = start(PROGRAMS / "kinds.json")
    client, second_ns = started.client, 1_000_000_000
    table, forward = "KindsIngress.stations", "KindsIngress.forward"
    client.bm_mt_add_entry(0, table, [exact(1, 6)], forward, [b"\0\3"], NO_OPTIONS)
    client.set_egress_queue_rate(3, 1)
    frame = (1).to_bytes(6, "big") + bytes(54)
    for _ in range(2):
        started.engine.inject(1, frame, 1)
    left = [at_ns for at_ns, _, _ in started.engine.run_until(3 * second_ns)]
    assert len(left) == 2
    assert left[1] - left[0] == second_ns


def test_calls_name_objects_of_no_program_where_there_is_none(start: Start) -> None:
    assert TO_PORT_2
    key = [prefix(1, 4, 8)]
    client = start(None).client
    assert client.bm_get_config() == ""
    add = client.bm_mt_add_entry
    refused(TableCode.INVALID_TABLE_NAME, add, 0, ROUTES, key, "a", TO_PORT_2, NO_OPTIONS)

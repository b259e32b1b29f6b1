"""Multicast groups and mirroring sessions, from BMv2's command line."""

from collections.abc import Callable

from finsy.proto import p4r
from p4abs_switch.client import Connection
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.testing import config, switch_in_thread

from .conftest import PROGRAMS

Say = Callable[[str], tuple[list[str], list[str]]]


def shown(answers: list[str]) -> list[str]:
    """The nodes and lags that mc_dump has shown."""
    return [line for line in answers if "->" in line]


def mirrored(session: Session, number: int) -> list[tuple[int, int]]:
    """Ports and replication ids to which the switch itself mirrors a session."""
    wanted = p4r.CloneSessionEntry(session_id=number)
    [found] = session.read(
        packet_replication_engine_entry=p4r.PacketReplicationEngineEntry(clone_session_entry=wanted)
    )
    replicas = found.packet_replication_engine_entry.clone_session_entry.replicas
    return [
        (each.egress_port or int.from_bytes(each.port, "big"), each.instance) for each in replicas
    ]


def test_a_group_has_the_replicas_of_its_nodes(resources: Say) -> None:
    def replicas() -> list[str]:
        return shown(resources("mc_dump")[0])

    resources("mc_mgrp_create 5\nmc_node_create 7 1 2\nmc_node_create 8 3")
    resources("mc_node_associate 5 0\nmc_node_associate 5 1")
    assert replicas() == [
        "  -> (L1h=0, rid=7) -> (ports=[1, 2], lags=[])",
        "  -> (L1h=1, rid=8) -> (ports=[3], lags=[])",
    ]
    resources("mc_node_update 0 4\nmc_node_dissociate 5 1")
    assert replicas() == ["  -> (L1h=0, rid=7) -> (ports=[4], lags=[])"]
    resources("mc_node_destroy 0")
    assert replicas() == []
    assert resources("mc_mgrp_destroy 5\nmc_mgrp_destroy 5")[1]


def test_nodes_are_told_of_as_on_bmv2(resources: Say) -> None:
    answers, complaints = resources(
        "mc_mgrp_create 5\nmc_node_create 7 1 2\nmc_node_associate 5 0\nmc_node_update 0 3\n"
        "mc_node_dissociate 5 0\nmc_node_destroy 0\nmc_mgrp_destroy 5\nmc_dump"
    )
    assert complaints == []
    assert answers == [
        "Creating multicast group 5",
        "Creating node with rid 7 , port map 110 and lag map ",
        "node was created with handle 0",
        "Associating node 0 to multicast group 5",
        "Updating node 0 with port map 1000 and lag map ",
        "Dissociating node 0 from multicast group 5",
        "Destroying node 0",
        "Destroying multicast group 5",
        *("==========", "MC ENTRIES", "==========", "LAGS", "=========="),
    ]


def test_lags_are_told_of_as_on_bmv2(resources: Say) -> None:
    answers, complaints = resources(
        "mc_mgrp_create 5\nmc_node_create 7 1 | 2 3\nmc_node_associate 5 0\n"
        "mc_set_lag_membership 2 6 4\nmc_set_lag_membership 3 8 9 10 11\nmc_dump"
    )
    assert complaints == []
    assert "Creating node with rid 7 , port map 10 and lag map 1100" in answers
    assert "Setting lag membership: 2 <- 1010000" in answers
    assert shown(answers) == [
        "  -> (L1h=0, rid=7) -> (ports=[1], lags=[2, 3])",
        "lag(2) -> ports=[4, 6]",
        "lag(3) -> ports=[8, 9, 10, 11]",
    ]


def test_a_lag_is_the_one_port_to_which_bmv2_sends_every_packet() -> None:
    with (
        switch_in_thread(config(program=PROGRAMS / "kinds.json"), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)
        shell.run(["mc_mgrp_create 5", "mc_node_create 7 1 | 2 3", "mc_node_associate 5 0"])
        shell.run(["mirroring_add_mc 1 5"])
        assert mirrored(session, 1) == [(1, 7)]
        shell.run(["mc_set_lag_membership 2 4 6", "mc_set_lag_membership 3 8 9 10"])
        assert sorted(mirrored(session, 1)) == [(1, 7), (6, 7), (8, 7)]
        shell.run(["mc_set_lag_membership 2 4", "mc_node_update 0 | 2"])
        assert mirrored(session, 1) == [(4, 7)]
        shell.run(["mc_node_dissociate 5 0"])
        assert mirrored(session, 1) == []
        assert shell.failures == 0


def test_a_mirror_is_replaced_by_a_later_one(resources: Say) -> None:
    answers, complaints = resources(
        "mirroring_add 5 3\nmirroring_add 5 2\nmirroring_get 5\nmirroring_delete 5\nmirroring_get 5"
    )
    assert answers == ["MirroringSessionConfig(port=2, mgid=None)"]
    assert complaints == ["line 5: mirroring_get: there is no mirroring session 5"]


def test_a_mirror_follows_its_group() -> None:
    with (
        switch_in_thread(config(program=PROGRAMS / "kinds.json"), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)
        shell.run(["mirroring_add_mc 1 5", "mc_mgrp_create 5"])
        assert mirrored(session, 1) == []
        shell.run(["mc_node_create 7 1 2", "mc_node_associate 5 0", "mirroring_add_mc 2 5"])
        assert mirrored(session, 1) == mirrored(session, 2) == [(1, 7), (2, 7)]
        shell.run(["mirroring_add 2 3", "mc_node_update 0 4"])
        assert (mirrored(session, 1), mirrored(session, 2)) == ([(4, 7)], [(3, 0)])
        shell.run(["mc_mgrp_destroy 5"])
        assert mirrored(session, 1) == []
        shell.run(["mirroring_delete 1", "mc_mgrp_create 5", "mc_node_associate 5 0"])
        assert shell.failures == 0


def test_a_mirror_to_a_group_is_told_of_as_on_bmv2(resources: Say) -> None:
    answers, complaints = resources(
        "mc_mgrp_create 5\nmirroring_add_mc 1 5\nmirroring_get 1\n"
        "mirroring_add 1 2\nmirroring_get 1"
    )
    assert complaints == []
    assert answers[1:] == [
        "MirroringSessionConfig(port=None, mgid=5)",
        "MirroringSessionConfig(port=2, mgid=None)",
    ]


def test_a_number_that_is_free_is_given_again_as_on_bmv2(resources: Say) -> None:
    answers, _ = resources("mc_node_create 7 1\nmc_node_create 8 2\nmc_node_destroy 0")
    assert answers[-1] == "Destroying node 0"
    assert resources("mc_node_create 9 3")[0][-1] == "node was created with handle 0"


def test_a_node_is_in_a_group_once_and_what_is_not_there_is_told(resources: Say) -> None:
    resources("mc_mgrp_create 5\nmc_node_create 7 1\nmc_node_associate 5 0")
    for line, told in (
        ("mc_node_associate 5 0", "multicast node 0 is in group 5 already"),
        ("mc_node_associate 6 0", "no multicast group 6; valid: 5"),
        ("mc_mgrp_destroy 6", "no multicast group 6; valid: 5"),
        ("mc_node_dissociate 5 1", "this session has created no node 1; valid: 0"),
    ):
        assert resources(line)[1] == [f"line 1: {line.split()[0]}: {told}"]

"""Ports and queues, from BMv2's command line."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from p4abs_switch import PortConfig, port_service
from p4abs_switch.client import Connection
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.server.observation import Observation
from p4abs_switch.testing import config, switch_in_thread

Say = Callable[[str], tuple[list[str], list[str]]]

PROGRAM = Path(__file__).parents[3] / "switch" / "tests" / "programs" / "kinds.json"
MS = 1_000_000


def test_ports_are_shown_in_bmv2_s_columns(capsys: pytest.CaptureFixture[str]) -> None:
    ports = [PortConfig(1, "s1-eth1"), PortConfig(12)]
    with (
        switch_in_thread(config(program=PROGRAM, ports=ports), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        switch.engine.set_port_up(12, False)
        Shell(session).run(["show_ports"])
    assert capsys.readouterr().out.splitlines() == [
        "  port #       iface name       status  extra info",
        "=" * 50,
        "    1           s1-eth1           UP    ",
        "    12             -             DOWN   ",
    ]


def test_a_port_is_added_and_removed_and_its_interface_is_free_again(kinds: Say) -> None:
    answers, complaints = kinds(
        "port_add veth1 3\nport_add veth1 4\nport_add veth2 3\nshow_ports\n"
        "port_remove 3\nport_add veth1 4\nshow_ports"
    )
    assert [line.split() for line in answers if "veth" in line] == [
        ["3", "veth1", "UP"],
        ["4", "veth1", "UP"],
    ]
    assert complaints == [
        "line 2: port_add: ports: ALREADY_EXISTS: interface veth1 is in use by port 3",
        "line 3: port_add: ports: ALREADY_EXISTS: port 3 is in use",
    ]


def test_a_port_that_is_to_be_captured_tells_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = replace(config(program=PROGRAM), observation=Observation(captures=tmp_path))
    with (
        switch_in_thread(settings, live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        Shell(session).run(["port_add veth1 3 some.pcap", "port_add veth2 4"])
    told = capsys.readouterr()
    files = [tmp_path / f"veth1_{direction}.pcap" for direction in ("in", "out")]
    assert (told.out, told.err) == (f"Frames are captured in {files[0]} and {files[1]}\n", "")
    assert all(file.exists() for file in files)


def test_a_switch_that_captures_nothing_adds_no_port_to_be_captured(kinds: Say) -> None:
    answers, [complaint] = kinds("port_add veth1 3 veth1.pcap\nshow_ports")
    assert not any("veth1" in line for line in answers)
    assert complaint == (
        "line 1: port_add: ports: FAILED_PRECONDITION: the switch captures nothing: it was started "
        "without --pcap DIR, and a client chooses no files of its machine"
    )


@pytest.mark.parametrize("place", ["", " 2", " 2 0"])
def test_queues_are_limited_at_all_ports_one_port_or_one_priority(place: str) -> None:
    ports = [PortConfig(1), PortConfig(2)]
    with (
        switch_in_thread(config(program=PROGRAM, ports=ports), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)
        shell.run(["table_add stations forward 1 => 2", f"set_queue_rate 250{place}"])
        shell.run([f"set_queue_depth 2{place}"])
        for _ in range(3):
            switch.engine.inject(1, (1).to_bytes(6, "big") + bytes(54), 0)
        left = switch.engine.run_until(1_000 * MS)
    assert shell.failures == 0
    assert [(at_ns, port) for at_ns, port, _ in left] == [(4 * MS, 2), (8 * MS, 2)]


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("set_queue_depth", "0 arguments given; needed: nb_pkts [egress_port [priority]]"),
        ("set_queue_depth 1 2 3 4", "4 arguments given; needed: nb_pkts [egress_port [priority]]"),
        ("set_queue_rate fast", "rate_pps is 'fast'; valid: a whole number from 0"),
        ("set_queue_rate 1 -1", "egress_port is '-1'; valid: a whole number from 0 to 510"),
        ("set_queue_rate 1 9", "ports: INVALID_ARGUMENT: no port 9; valid: none, the switch has"),
        ("set_queue_rate 1 510 8", "queue 8 is out of range; valid are 0 to 7"),
        ("show_ports 1", "1 argument given; needed: none"),
        ("port_add veth0", "1 argument given; needed: iface_name port_num [pcap_path]"),
        ("port_add veth0 1 a b", "4 arguments given; needed: iface_name port_num [pcap_path]"),
        ("port_add veth0 one", "port_num is 'one'; valid: a whole number from 0 to 510"),
        ("port_add veth0 510", "ports: INVALID_ARGUMENT: port 510 is the CPU port; choose another"),
        (
            "port_add veth0:1 3",
            'ports: FAILED_PRECONDITION: port 3: no interface can be called "veth0:1"',
        ),
        ("port_add veth0 511", "port_num is '511'; valid: a whole number from 0 to 510"),
        ("port_remove 3", "no port 3; valid: none, the switch has no ports"),
        ("port_remove", "0 arguments given; needed: port_num"),
    ],
)
def test_what_is_wrong_with_a_command_is_told_in_one_line(
    kinds: Say, command: str, complaint: str
) -> None:
    answers, [line] = kinds(command)
    assert answers == []
    assert line.startswith(f"line 1: {command.split()[0]}: ")
    assert complaint in line


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (
            "show_ports",
            "this switch does not tell of ports: P4Runtime has no message for it; `ip -br",
        ),
        (
            "set_queue_rate 1",
            "this switch has no queues to limit: P4Runtime has no message for it; ",
        ),
        ("port_add veth0 1", "this switch adds no ports: P4Runtime has no message for it; it has"),
        ("port_remove 1", "`ip link` takes their interfaces away and back"),
        ("set_queue_depth 64 1 0", "`tc` on an interface may limit its port"),
    ],
)
def test_a_switch_that_serves_p4runtime_alone_is_told_in_one_line(
    kinds: Say, monkeypatch: pytest.MonkeyPatch, command: str, complaint: str
) -> None:
    monkeypatch.setattr(port_service, "SERVICE", "p4abs.switch.v1.Unknown")
    answers, [line] = kinds(command)
    assert answers == []
    assert complaint in line


def test_beside_a_higher_primary_queues_stay_as_they_are_and_ports_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Connection(switch.address, 1, 5) as other,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        other.become_primary()
        Shell(session).run(["set_queue_rate 1", "show_ports"])
    told = capsys.readouterr()
    assert told.err == (
        "line 1: set_queue_rate: another controller is primary with election id 5; "
        "stop it, or take the switch over with --election-id 6 or higher\n"
    )
    assert len(told.out.splitlines()) == 2

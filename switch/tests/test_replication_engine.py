"""Multicast groups, clone sessions and priority queues through the Python face of the engine."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from p4abs_switch import PortConfig, Switch, _engine

PROGRAMS = Path(__file__).parents[1] / "pipeline" / "tests" / "programs"
CLONE, MULTICAST = 1, 4
S = 1_000_000_000


@pytest.fixture
def switch() -> Switch:
    """Ports 1 to 3 and a program whose frames say what becomes of them."""
    switch = Switch([PortConfig(port) for port in (1, 2, 3)])
    switch.load((PROGRAMS / "replication.json").read_bytes())
    return switch


def _frame(ingress: int, argument: int, priority: int = 0, payload: bytes = b"") -> bytes:
    return (
        bytes([ingress, 0])
        + argument.to_bytes(2, "big")
        + bytes([1, priority])
        + bytes(12)
        + payload
    )


def _send(switch: Switch, frame: bytes) -> list[tuple[int, int]]:
    """Port and instance of what comes out."""
    now_ns = 1000 * switch.now_us()
    switch.inject(1, frame, now_ns)
    departures = switch.run_until(now_ns + S)
    return [(port, int.from_bytes(sent[12:14], "big")) for _, port, sent in departures]


@pytest.mark.requirement("9.5.1-9", "9.5.1-11")
def test_a_group_lives_from_insert_to_delete(switch: Switch) -> None:
    switch.multicast_group_insert(5, [(3, 30, []), (2, 20, [])])
    assert switch.multicast_group_read() == [(5, [(3, 30, []), (2, 20, [])])]
    assert _send(switch, _frame(MULTICAST, 5)) == [(3, 30), (2, 20)]
    switch.multicast_group_modify(5, [(2, 65535, [])])
    assert switch.multicast_group_read(5) == [(5, [(2, 65535, [])])]
    assert _send(switch, _frame(MULTICAST, 5)) == [(2, 65535)]
    switch.multicast_group_delete(5)
    assert switch.multicast_group_read() == []
    assert _send(switch, _frame(MULTICAST, 5)) == []


@pytest.mark.requirement("9.5.2-8")
def test_a_session_lives_from_insert_to_delete(switch: Switch) -> None:
    switch.clone_session_insert(5, [(3, 30, [])])
    assert switch.clone_session_read() == [(5, [(3, 30, [])], 0, 0)]
    assert _send(switch, _frame(CLONE, 5)) == [(3, 30), (1, 0)]
    switch.clone_session_modify(5, [(2, 20, [])], class_of_service=7, packet_length_bytes=100)
    assert switch.clone_session_read(5) == [(5, [(2, 20, [])], 7, 100)]
    assert _send(switch, _frame(CLONE, 5)) == [(2, 20), (1, 0)]
    switch.clone_session_delete(5)
    assert _send(switch, _frame(CLONE, 5)) == [(1, 0)]


def test_a_session_of_number_0_has_copies_as_others_have(switch: Switch) -> None:
    """P4Runtime has none, BMv2 has."""
    switch.clone_session_insert(0, [(3, 30, [])])
    assert _send(switch, _frame(CLONE, 0)) == [(3, 30), (1, 0)]


def test_members_that_watch_a_removed_port_stay_down_with_another_program() -> None:
    switch = Switch([PortConfig(port) for port in (1, 2, 4)])
    program = (Path(__file__).parent / "programs" / "resources.json").read_bytes()
    members = [("ResourcesIngress.forward", [bytes([port])], 1, port) for port in (2, 4)]

    def chosen() -> Counter[int]:
        switch.load(program)
        key = [("exact", b"\2")]
        switch.table_insert("ResourcesIngress.balanced", key, ("one_shot", members))
        at_ns = switch.now_us() * 1000 + 1000
        for source in range(64):
            frame = bytes([0, 0, 0, 0, 0, 2]) + source.to_bytes(6, "big") + b"\x08\0" + bytes(46)
            switch.inject(1, frame, at_ns)
        return Counter(port for _, port, _ in switch.run_until(at_ns))

    assert set(chosen()) == {2, 4}
    switch.remove_port(4)
    assert chosen() == {2: 64}


REFUSALS: dict[str, tuple[type[_engine.EngineError], Callable[[Switch], object]]] = {
    "a group twice": (_engine.AlreadyExists, lambda s: s.multicast_group_insert(1, [])),
    "a session twice": (_engine.AlreadyExists, lambda s: s.clone_session_insert(1, [])),
    "no such group": (_engine.EntryNotFound, lambda s: s.multicast_group_read(2)),
    "no such session": (_engine.EntryNotFound, lambda s: s.clone_session_delete(2)),
    "group 0": (_engine.InvalidArgument, lambda s: s.multicast_group_insert(0, [])),
    "group 65536": (_engine.InvalidArgument, lambda s: s.multicast_group_insert(65536, [])),
    "session 32768": (_engine.InvalidArgument, lambda s: s.clone_session_insert(32768, [])),
    "the drop port": (
        _engine.InvalidArgument,
        lambda s: s.multicast_group_modify(1, [(511, 0, [])]),
    ),
    "an instance of 17 bits": (
        _engine.InvalidArgument,
        lambda s: s.multicast_group_modify(1, [(1, 65536, [])]),
    ),
    "a replica twice": (
        _engine.InvalidArgument,
        lambda s: s.multicast_group_modify(1, [(1, 0, []), (1, 0, [])]),
    ),
    "a class of service too high": (
        _engine.InvalidArgument,
        lambda s: s.clone_session_modify(1, [], class_of_service=8),
    ),
    "a negative length": (
        _engine.InvalidArgument,
        lambda s: s.clone_session_modify(1, [], packet_length_bytes=-1),
    ),
    "no queues": (_engine.InvalidArgument, lambda _: PortConfig(1, queues=0)),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_cannot_be_is_refused_and_changes_nothing(switch: Switch, name: str) -> None:
    switch.multicast_group_insert(1, [(1, 1, [])])
    switch.clone_session_insert(1, [(1, 1, [])])
    error, refused = REFUSALS[name]
    with pytest.raises(error):
        refused(switch)
    assert switch.multicast_group_read() == [(1, [(1, 1, [])])]
    assert switch.clone_session_read() == [(1, [(1, 1, [])], 0, 0)]


def test_the_highest_priority_goes_first() -> None:
    switch = Switch([PortConfig(1, rate_bps=8_000_000, queues=4)])
    switch.load((PROGRAMS / "replication.json").read_bytes())
    for priority in (0, 1, 3, 4):
        switch.inject(1, _frame(0, 0, priority), 0)
    assert [sent[5] for _, _, sent in switch.run_until(S)] == [0, 3, 1]
    assert switch.statistics().no_such_queue_packets == 1


def test_what_came_is_accounted_for_to_the_byte(switch: Switch) -> None:
    switch.multicast_group_insert(5, [(2, 0, []), (3, 0, [])])
    frame = _frame(MULTICAST, 5, payload=bytes(100))
    for group_frame in (frame, _frame(MULTICAST, 6)):
        _send(switch, group_frame)
    statistics = switch.statistics()
    ports = [switch.port_statistics(port) for port in (1, 2, 3)]
    assert statistics.program_dropped_bytes == 18
    assert sum(port.rx_bytes for port in ports) + statistics.copied_bytes == (
        sum(port.tx_bytes for port in ports) + statistics.program_dropped_bytes
    )

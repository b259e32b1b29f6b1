"""Multicast groups, clone sessions and priority queues by messages to the running program."""

from pathlib import Path

import pytest
from p4abs_switch import PortConfig, Switch
from p4abs_switch.cli.links import port_configs
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.local import Local
from p4abs_switch.runtime.replication import Mirror, Replication

from .conftest import pipeline_config
from .controller import DEVICE_ID
from .entities import Entities, exact
from .model import Model

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


def _local(switch: Switch) -> Local:
    return Local.of(switch, (PROGRAMS / "replication.json").read_bytes())


@pytest.mark.requirement("9.5.1-9", "9.5.1-11")
def test_a_group_lives_from_insert_to_delete(switch: Switch) -> None:
    replication = Replication(_local(switch))
    replication.create_group(5)
    replication.associate(5, replication.create_node(30, [3]))
    replication.associate(5, replication.create_node(20, [2]))
    assert replication.adopt(5) == [(3, 30), (2, 20)]
    assert _send(switch, _frame(MULTICAST, 5)) == [(3, 30), (2, 20)]
    replication.delete_node(0)
    replication.delete_node(1)
    replication.associate(5, replication.create_node(65535, [2]))
    assert replication.adopt(5) == [(2, 65535)]
    assert _send(switch, _frame(MULTICAST, 5)) == [(2, 65535)]
    replication.delete_group(5)
    assert replication.groups() == []
    assert _send(switch, _frame(MULTICAST, 5)) == []


@pytest.mark.requirement("9.5.2-8")
def test_a_session_lives_from_insert_to_delete(switch: Switch) -> None:
    local = _local(switch)
    session = p4r.CloneSessionEntry(session_id=5)
    entry = p4r.PacketReplicationEngineEntry(clone_session_entry=session)
    session = entry.clone_session_entry
    session.replicas.add(egress_port=3, instance=30)
    local.insert(packet_replication_engine_entry=entry)
    assert _send(switch, _frame(CLONE, 5)) == [(3, 30), (1, 0)]
    del session.replicas[:]
    session.replicas.add(egress_port=2, instance=20)
    session.class_of_service, session.packet_length_bytes = 7, 100
    local.modify(packet_replication_engine_entry=entry)
    assert Replication(local).session(5) == [(2, 20)]
    assert _send(switch, _frame(CLONE, 5)) == [(2, 20), (1, 0)]
    local.delete(packet_replication_engine_entry=entry)
    assert _send(switch, _frame(CLONE, 5)) == [(1, 0)]


def test_a_session_of_number_0_has_copies_as_others_have(switch: Switch) -> None:
    """P4Runtime has none, BMv2 has."""
    replication = Replication(_local(switch))
    replication.mirror(0, Mirror(port=3))
    assert _send(switch, _frame(CLONE, 0)) == [(3, 0), (1, 0)]
    replication.delete_session(0)
    assert _send(switch, _frame(CLONE, 0)) == [(1, 0)]


def test_members_that_watch_a_removed_port_stay_down_with_another_program(
    resources: Entities, resources_json: Path
) -> None:
    """Which was written to while the port was there."""
    config = pipeline_config(resources_json)
    model = Model(config)
    request = p4r.SetForwardingPipelineConfigRequest(device_id=DEVICE_ID, config=config)
    request.election_id.low, request.action = 1, request.VERIFY_AND_SAVE
    model.device.set_config(request.SerializeToString())
    entity = resources.entry("balanced", [exact(1, 2)])
    for port in (2, 3):
        action = p4r.ActionProfileAction(weight=1, watch_port=bytes([port]))
        action.action.CopyFrom(resources.action("forward", port).action)
        actions = entity.table_entry.action.action_profile_action_set.action_profile_actions
        actions.append(action)
    model.insert(entity)
    model.switch.remove_port(3)
    request.ClearField("config")
    request.action = request.COMMIT
    model.device.set_config(request.SerializeToString())
    for source in range(64):
        frame = bytes([0, 0, 0, 0, 0, 2]) + source.to_bytes(6, "big") + b"\x08\0" + bytes(46)
        model.switch.inject(1, frame, 0)
    assert [port for _, port, _ in model.switch.run_until(0)] == 64 * [2]


def test_the_highest_priority_goes_first() -> None:
    switch = Switch([PortConfig(1, rate_bps=8_000_000, queues=4)])
    switch.load((PROGRAMS / "replication.json").read_bytes())
    for priority in (0, 1, 3, 4):
        switch.inject(1, _frame(0, 0, priority), 0)
    assert [sent[5] for _, _, sent in switch.run_until(S)] == [0, 3, 1]
    assert switch.statistics().no_such_queue_packets == 1


def test_queues_with_weights_share_the_link_in_bytes() -> None:
    [port] = port_configs((), ("1,rate=10Mbit,queues=3,weights=1:1:6",))
    assert port.weights == (1, 1, 6)
    switch = Switch([port])
    switch.load((PROGRAMS / "replication.json").read_bytes())
    payload_bytes = (1482, 82, 682)
    for priority, length in enumerate(payload_bytes):
        for _ in range(1_000_000 // length):
            switch.inject(1, _frame(0, 0, priority, payload=bytes(length)), 0)
    sent_bytes = [0, 0, 0]
    for _, _, frame in switch.run_until(S):  # 1.25 MB, so that frames are left in each queue
        sent_bytes[frame[5]] += len(frame)
    assert sum(sent_bytes) == pytest.approx(1_250_000, abs=1_500)
    assert [sent / 1_250_000 for sent in sent_bytes] == pytest.approx(
        [1 / 8, 1 / 8, 3 / 4], rel=0.02
    )


def test_what_came_is_accounted_for_to_the_byte(switch: Switch) -> None:
    replication = Replication(_local(switch))
    replication.create_group(5)
    replication.associate(5, replication.create_node(0, [2, 3]))
    frame = _frame(MULTICAST, 5, payload=bytes(100))
    for group_frame in (frame, _frame(MULTICAST, 6)):
        _send(switch, group_frame)
    statistics = switch.statistics()
    ports = [switch.port_statistics(port) for port in (1, 2, 3)]
    assert statistics.program_dropped_bytes == 18
    assert sum(port.rx_bytes for port in ports) + statistics.copied_bytes == (
        sum(port.tx_bytes for port in ports) + statistics.program_dropped_bytes
    )

"""Multicast groups and clone sessions (P4Runtime 1.5, section 9.5)."""

from collections.abc import MutableSequence
from pathlib import Path

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch import bytestring
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, failure, pipeline_config
from .entities import Entities, exact, frame

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE
INVALID = grpc.StatusCode.INVALID_ARGUMENT
_Engine = p4r.PacketReplicationEngineEntry


def group(number: int, *replicas: tuple[int, int], metadata: bytes = b"") -> p4r.Entity:
    entry = p4r.MulticastGroupEntry(
        multicast_group_id=number, replicas=_replicas(*replicas), metadata=metadata
    )
    return p4r.Entity(packet_replication_engine_entry=_Engine(multicast_group_entry=entry))


def session(
    number: int, *replicas: tuple[int, int], service_class: int = 0, length: int = 0
) -> p4r.Entity:
    entry = p4r.CloneSessionEntry(
        session_id=number,
        replicas=_replicas(*replicas),
        class_of_service=service_class,
        packet_length_bytes=length,
    )
    return p4r.Entity(packet_replication_engine_entry=_Engine(clone_session_entry=entry))


def _replicas(*replicas: tuple[int, int]) -> list[p4r.Replica]:
    return [
        p4r.Replica(port=bytestring.encode(port), instance=instance) for port, instance in replicas
    ]


def _backed(primary: tuple[int, int], *backups: tuple[int, int]) -> p4r.Replica:
    (replica,) = _replicas(primary)
    for port, instance in backups:
        replica.backup_replicas.add(port=bytestring.encode(port), instance=instance)
    return replica


@pytest.mark.requirement("8.2-1", "9.5.1-6", "9.5.1-8", "9.5.1-10", "9.5.2-7", "9.5.2-9")
async def test_groups_and_sessions_read_back_as_written(resources_primary: Controller) -> None:
    groups = [group(1, (1, 0), (2, 5), metadata=b"ours"), group(2, (3, 1))]
    sessions = [session(5, (1, 0), service_class=2, length=64), session(6, (2, 0))]
    await resources_primary.insert(*groups, *sessions)
    assert await resources_primary.read(group(0), session(0)) == groups + sessions
    everything = p4r.Entity(packet_replication_engine_entry=_Engine())
    assert await resources_primary.read(everything) == groups + sessions
    odd = group(2, (600, 0), metadata=b"theirs"), session(5, (600, 0), service_class=9, length=-1)
    for wanted in ((group(2), session(5)), odd):
        assert await resources_primary.read(*wanted) == [groups[1], sessions[0]]
    assert await resources_primary.read(group(3), session(7)) == []
    changed = [group(2, (1, 1), (1, 2)), session(6, length=9)]
    await resources_primary.modify(*changed)
    assert await resources_primary.read(group(2), session(6)) == changed
    await resources_primary.delete(group(1), session(6), *odd)
    assert await resources_primary.read(everything) == []


@pytest.mark.requirement("9.5.1-11", "9.5.2-4", "18.1-2")
async def test_packets_go_to_all_replicas(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(
        group(4, (2, 0), (3, 0)),
        session(5, (3, 0), length=14),
        resources.entry("hits", [exact(1, 0x0800)], "flood", 4),
        resources.entry("hits", [exact(1, 0x0806)], "mirror", 2),
    )
    assert _departures(resources_switch, frame(1, 2, 0x0800)) == {(2, 60), (3, 60)}
    assert _departures(resources_switch, frame(1, 2, 0x0806)) == {(2, 60), (3, 14)}


@pytest.mark.requirement("9.5.2-5")
async def test_clones_of_no_length_are_whole(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(
        session(5, (3, 0)), resources.entry("hits", [exact(1, 0x0806)], "mirror", 2)
    )
    packet = frame(1, 2, 0x0806) + bytes(1000)
    assert _departures(resources_switch, packet) == {(2, 1060), (3, 1060)}


@pytest.mark.requirement("8.2-1")
async def test_a_port_is_read_in_the_field_that_it_was_written_in(
    resources_primary: Controller,
) -> None:
    written = group(1, (3, 0))
    _replicas_of(written).add(egress_port=2)
    await resources_primary.insert(written)
    assert await resources_primary.read(group(1)) == [written]


@pytest.mark.requirement("9.5.1-1", "9.5.1-2", "9.5.1-3", "9.5.1-4", "9.5.2-1", "9.5.2-3")
async def test_what_does_not_fit_is_refused(resources_primary: Controller) -> None:
    await resources_primary.insert(group(1, (1, 0)), session(1, (1, 0)))
    for kind, entity, code in (
        (INSERT, group(1), grpc.StatusCode.ALREADY_EXISTS),
        (INSERT, session(1), grpc.StatusCode.ALREADY_EXISTS),
        (MODIFY, group(2), grpc.StatusCode.NOT_FOUND),
        (DELETE, session(2), grpc.StatusCode.NOT_FOUND),
        (INSERT, group(0, (1, 0)), INVALID),
        (INSERT, session(0, (1, 0)), INVALID),
        (INSERT, group(1 << 16), INVALID),
        (INSERT, group(2, (1, 0), (1, 0)), INVALID),
        (INSERT, group(2, (600, 0)), INVALID),
        (INSERT, group(2, (1, 1 << 16)), INVALID),
        (INSERT, session(2, (1, 0), service_class=8), INVALID),
        (INSERT, session(2, (1, 0), length=-1), INVALID),
        (INSERT, p4r.Entity(packet_replication_engine_entry=_Engine()), INVALID),
    ):
        assert (await failure(resources_primary, kind, entity))[0] is code, entity


@pytest.mark.requirement("8.2-2", "9.5.1-13")
async def test_a_replica_gives_way_to_its_first_backup_that_is_up_and_returns(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    backed, mirrored = group(4), session(5, length=14)
    for entity in (backed, mirrored):
        _replicas_of(entity).append(_backed((2, 0), (3, 7), (1, 8)))
    await resources_primary.insert(
        backed,
        mirrored,
        resources.entry("hits", [exact(1, 0x0800)], "flood", 4),
        resources.entry("hits", [exact(1, 0x0806)], "mirror", 2),
    )
    for port, up, way in ((1, True, 2), (2, False, 3), (3, False, 1), (3, True, 3), (2, True, 2)):
        resources_switch.engine.set_port_up(port, up)
        assert _departures(resources_switch, frame(1, 2, 0x0800)) == {(way, 60)}
        assert _departures(resources_switch, frame(1, 2, 0x0806)) == {(2, 60), (way, 14)}
    assert await resources_primary.read(group(4), session(5)) == [backed, mirrored]


@pytest.mark.requirement("9.5.1-4", "9.5.1-12")
@pytest.mark.parametrize(
    ("number", "change"), [(1, MODIFY), (2, INSERT)], ids=["modified", "inserted"]
)
async def test_backups_that_cannot_be_are_refused(
    resources_primary: Controller, number: int, change: p4r.Update.Type.ValueType
) -> None:
    kept = [group(1, (1, 0)), session(1, (1, 0))]
    await resources_primary.insert(*kept)
    nowhere = _backed((1, 0))
    nowhere.backup_replicas.add()
    for replicas, code in (
        ([_backed((1, 0), (1, 1))], INVALID),
        ([_backed((1, 0), (2, 1), (2, 1))], INVALID),
        ([_backed((1, 0), (2, 1)), _backed((2, 1))], INVALID),
        ([_backed((1, 0), (511, 1))], INVALID),
        ([_backed((1, 0), (2, 1 << 16))], INVALID),
        ([nowhere], grpc.StatusCode.OUT_OF_RANGE),
    ):
        for entity in (group(number), session(number)):
            _replicas_of(entity).extend(replicas)
            assert (await failure(resources_primary, change, entity))[0] is code, entity
    assert await resources_primary.read(group(0), session(0)) == kept


async def test_a_batch_is_rolled_back(resources_primary: Controller) -> None:
    kept = [group(1, (1, 0), metadata=b"ours"), session(1, (2, 0), length=64)]
    await resources_primary.insert(*kept)
    with pytest.raises(grpc.aio.AioRpcError):
        await resources_primary.write(
            p4r.Update(type=DELETE, entity=group(1)),
            p4r.Update(type=MODIFY, entity=session(1)),
            p4r.Update(type=INSERT, entity=group(2)),
            p4r.Update(type=INSERT, entity=group(2)),
            atomicity=p4r.WriteRequest.DATAPLANE_ATOMIC,
        )
    assert await resources_primary.read(group(0), session(0)) == kept


@pytest.mark.parametrize("reconcile", [False, True])
async def test_a_new_program_starts_without_them_unless_they_are_carried_over(
    resources_primary: Controller, resources_json: Path, reconcile: bool
) -> None:
    written = group(1, (1, 0))
    await resources_primary.insert(written)
    action = p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT
    if reconcile:
        action = p4r.SetForwardingPipelineConfigRequest.RECONCILE_AND_COMMIT
    await resources_primary.set_config(action, pipeline_config(resources_json))
    assert await resources_primary.read(group(0)) == ([written] if reconcile else [])


def _departures(switch: RunningSwitch, packet: bytes) -> set[tuple[int, int]]:
    """Port and size of the frames that leave for one that arrives at port 1."""
    at_ns = switch.engine.now_us() * 1_000 + 1_000
    switch.engine.inject(1, packet, at_ns)
    return {(port, len(left)) for _, port, left in switch.engine.run_until(at_ns + 10_000)}


@pytest.mark.requirement("8.3-4", "9.5.1-7", "9.5.2-2", "9.5.2-6")
@pytest.mark.parametrize(
    ("number", "change"), [(1, MODIFY), (2, INSERT)], ids=["modified", "inserted"]
)
async def test_replicas_that_cannot_be_are_refused(
    resources_primary: Controller, number: int, change: p4r.Update.Type.ValueType
) -> None:
    kept = [group(1, (1, 0)), session(1, (1, 0))]
    await resources_primary.insert(*kept)
    for replicas, code in (
        ([(511, 0)], INVALID),
        ([(1, 1 << 16)], INVALID),
    ):
        for entity in (group(number, *replicas), session(number, *replicas)):
            assert (await failure(resources_primary, change, entity))[0] is code, entity
    for replica, code in (
        (p4r.Replica(port=b""), grpc.StatusCode.OUT_OF_RANGE),
        (p4r.Replica(), INVALID),
    ):
        for entity in (group(number), session(number)):
            _replicas_of(entity).append(replica)
            assert (await failure(resources_primary, change, entity))[0] is code, entity
    for entity in (group(number, (1, 0), (1, 0)), session(number, (1, 0), service_class=8)):
        assert (await failure(resources_primary, change, entity))[0] is INVALID, entity
    assert await resources_primary.read(group(0), session(0)) == kept


def _replicas_of(entity: p4r.Entity) -> MutableSequence[p4r.Replica]:
    entry = entity.packet_replication_engine_entry
    if entry.HasField("multicast_group_entry"):
        return entry.multicast_group_entry.replicas
    return entry.clone_session_entry.replicas


async def test_a_session_s_number_has_15_bits_and_0_is_none(resources_primary: Controller) -> None:
    await resources_primary.insert(session(32767))
    for number in (32768, 2**32 - 1):
        message = f"clone session {number} is out of range; valid are 1 to 32767"
        assert await failure(resources_primary, INSERT, session(number)) == (INVALID, message)

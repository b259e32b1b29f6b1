"""Write as a whole, for every kind of entity (P4Runtime 1.5, sections 8.1, 10, 11 and 12)."""

import grpc
import pytest
from finsy.proto import p4r, rpc_status

from .controller import Controller, batch_errors, failure
from .entities import Entities, exact

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE
_Engine = p4r.PacketReplicationEngineEntry


@pytest.mark.requirement("8.1.1-1")
@pytest.mark.parametrize(
    "entity",
    [
        p4r.Entity(table_entry=p4r.TableEntry()),
        p4r.Entity(direct_counter_entry=p4r.DirectCounterEntry()),
        p4r.Entity(direct_meter_entry=p4r.DirectMeterEntry()),
        p4r.Entity(counter_entry=p4r.CounterEntry()),
        p4r.Entity(meter_entry=p4r.MeterEntry()),
        p4r.Entity(register_entry=p4r.RegisterEntry()),
        p4r.Entity(action_profile_member=p4r.ActionProfileMember(member_id=1)),
        p4r.Entity(action_profile_group=p4r.ActionProfileGroup(group_id=1)),
        p4r.Entity(value_set_entry=p4r.ValueSetEntry()),
        p4r.Entity(digest_entry=p4r.DigestEntry()),
        p4r.Entity(
            packet_replication_engine_entry=_Engine(multicast_group_entry=p4r.MulticastGroupEntry())
        ),
        p4r.Entity(
            packet_replication_engine_entry=_Engine(clone_session_entry=p4r.CloneSessionEntry())
        ),
    ],
    ids=lambda entity: str(entity).split(maxsplit=1)[0],
)
async def test_object_id_0_is_refused_in_every_update(
    resources_primary: Controller, entity: p4r.Entity
) -> None:
    for kind in (INSERT, MODIFY, DELETE):
        code, _ = await failure(resources_primary, kind, entity)
        assert code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("12-5")
async def test_an_insert_leaves_what_is_there_as_it_is(
    primary: Controller, entities: Entities
) -> None:
    written = entities.entry("stations", [exact(1, 1)], "forward", 1)
    other = entities.entry("stations", [exact(1, 1)], "punt", 2)
    await primary.insert(written)
    assert (await failure(primary, INSERT, other))[0] is grpc.StatusCode.ALREADY_EXISTS
    assert await primary.read(entities.entry("stations")) == [written]


@pytest.mark.requirement("12-7")
async def test_a_modification_is_the_whole_entry(primary: Controller, entities: Entities) -> None:
    attached = entities.entry("stations", [exact(1, 1)], "forward", 1)
    attached.table_entry.metadata = b"ours"
    plain = entities.entry("stations", [exact(1, 1)], "forward", 2)
    await primary.insert(attached)
    await primary.modify(plain)
    assert await primary.read(entities.entry("stations")) == [plain]


@pytest.mark.requirement("9.1-6")
async def test_a_deletion_looks_at_the_key_alone(primary: Controller, entities: Entities) -> None:
    await primary.insert(entities.entry("stations", [exact(1, 1)], "forward", 1))
    odd = entities.entry("stations", [exact(1, 1)], "drop", 1, 2, 3)
    odd.table_entry.idle_timeout_ns = -1
    odd.table_entry.time_since_last_hit.elapsed_ns = 1
    odd.table_entry.meter_config.cir = -1
    odd.table_entry.metadata = b"theirs"
    await primary.delete(odd)
    assert await primary.read(entities.entry("stations")) == []


@pytest.mark.requirement("9.1-10", "A.5-1")
async def test_an_entry_that_claims_to_be_constant_is_refused(
    primary: Controller, entities: Entities
) -> None:
    written = entities.entry("stations", [exact(1, 1)], "forward", 1)
    claimed = entities.entry("stations", [exact(1, 1)], "forward", 1)
    claimed.table_entry.is_const = True
    assert (await failure(primary, INSERT, claimed))[0] is grpc.StatusCode.INVALID_ARGUMENT
    await primary.insert(written)
    for kind in (MODIFY, DELETE):
        assert (await failure(primary, kind, claimed))[0] is grpc.StatusCode.INVALID_ARGUMENT
    assert await primary.read(entities.entry("stations")) == [written]


@pytest.mark.requirement("10-1", "10-2", "12.3-2", "12.3-3")
async def test_the_details_repeat_the_status_and_tell_each_updates_own(
    primary: Controller, entities: Entities
) -> None:
    entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.insert(entry, entry)
    error = caught.value
    (details,) = (v for k, v in error.trailing_metadata() if k == "grpc-status-details-bin")
    assert isinstance(details, bytes)
    status = rpc_status.Status.FromString(details)
    assert (status.code, status.message) == (error.code().value[0], error.details())
    (first, first_message), (second, second_message) = batch_errors(error)
    assert (first, first_message) == (grpc.StatusCode.OK, "")
    assert second is grpc.StatusCode.ALREADY_EXISTS
    assert second_message


@pytest.mark.requirement("12.3-1")
async def test_an_error_of_the_whole_call_has_no_details(
    primary: Controller, entities: Entities
) -> None:
    primary.election_id = 7
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.insert(entities.entry("stations", [exact(1, 1)], "forward", 1))
    assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert caught.value.details()
    assert "grpc-status-details-bin" not in dict(caught.value.trailing_metadata())


async def test_a_request_of_too_many_parts_is_refused_as_a_whole(primary: Controller) -> None:
    update = p4r.WriteRequest(updates=[p4r.Update()]).SerializeToString()
    request = p4r.WriteRequest.FromString(update * (1 << 17))
    with pytest.raises(grpc.aio.AioRpcError, match="at most 131072 updates") as caught:
        await primary.write(*request.updates)
    assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED

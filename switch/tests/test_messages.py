"""What controllers are told of requests that are refused, to the letter."""

import grpc
import pytest
from finsy.proto import p4r, stratum
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, batch_errors, connected
from .entities import Entities, exact

STATIONS = "table KindsIngress.stations (0x02d61089)"


def role(name: str, **config: object) -> p4r.Role:
    asked = p4r.Role(name=name)
    asked.config.Pack(stratum.P4RoleConfig(**config))  # type: ignore[arg-type]
    return asked


async def refusal(controller: Controller, entity: p4r.Entity) -> str:
    """The message of an insertion that fails."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await controller.insert(entity)
    return caught.value.details() or ""


async def test_who_owns_what_a_role_may_not_write(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
    owner = role("owner", exclusive_p4_ids=[entities.id("stations")])
    async with (
        connected(switch.address, 1, owner) as first,
        connected(switch.address, 1, role("l2", shared_p4_ids=[entities.id("acl")])) as other,
    ):
        await other.become_primary()
        assert await refusal(other, entry) == (
            f"Write: 1 of 1 failed, first: role l2 may not write table_entry of {STATIONS}: its "
            "config has the id neither in exclusive_p4_ids nor in shared_p4_ids"
        )
        await first.become_primary()
        for controller, who in ((other, "role l2"), (primary, "the default role")):
            assert await refusal(controller, entry) == (
                f"Write: 1 of 1 failed, first: {who} may not write table_entry of {STATIONS}: it "
                "is exclusive to role owner"
            )
        group = p4r.PacketReplicationEngineEntry(
            multicast_group_entry=p4r.MulticastGroupEntry(multicast_group_id=1)
        )
        assert await refusal(other, p4r.Entity(packet_replication_engine_entry=group)) == (
            "Write: 1 of 1 failed, first: role l2 may not write packet_replication_engine_entry, "
            "which has no object: its config has the id neither in exclusive_p4_ids nor in "
            "shared_p4_ids"
        )


async def test_what_a_role_lacks_that_may_not_push(switch: RunningSwitch) -> None:
    async with connected(switch.address, 1, role("l2", receives_packet_ins=True)) as controller:
        await controller.become_primary()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await controller.set_config(p4r.SetForwardingPipelineConfigRequest.COMMIT, None)
        assert caught.value.details() == (
            "role l2 may not push a pipeline: its config has no can_push_pipeline"
        )


async def test_which_election_id_may_write(switch: RunningSwitch, entities: Entities) -> None:
    entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
    async with connected(switch.address, 3) as backup:
        assert await refusal(backup, entry) == (
            "election id 3 may not write: the default role has no primary yet"
        )
        async with connected(switch.address, 7) as first:
            await first.become_primary()
            await backup.bid()
            await backup.receive()
            assert await refusal(backup, entry) == (
                "election id 3 may not write: the primary of the default role has election id 7"
            )
            request = p4r.WriteRequest(device_id=switch.device_id)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await backup.stub.Write(request)
            assert caught.value.details() == (
                "a request without election id may not write: the primary of the default role has "
                "election id 7"
            )
        assert (await backup.standing())[0] is grpc.StatusCode.NOT_FOUND
        assert await refusal(backup, entry) == (
            "election id 3 may not write: the default role has no primary since election id 7 "
            "has gone"
        )


async def test_the_cause_of_a_batch_that_is_rolled_back_comes_first(
    primary: Controller, entities: Entities
) -> None:
    right = entities.entry("stations", [exact(1, 1)], "forward", 1)
    wrong = entities.entry("stations", [exact(1, 2)], "drop")
    updates = [p4r.Update(type=p4r.Update.INSERT, entity=entity) for entity in (right, wrong)]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.write(*updates, atomicity=p4r.WriteRequest.ROLLBACK_ON_ERROR)
    (aborted, _), (code, reason) = batch_errors(caught.value)
    assert (aborted, code) == (grpc.StatusCode.ABORTED, grpc.StatusCode.PERMISSION_DENIED)
    assert caught.value.details() == f"Write: 2 of 2 failed, first: {reason}"

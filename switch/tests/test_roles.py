"""Roles: elections of their own and what their config allows (P4Runtime 1.5, section 5)."""

import grpc
import pytest
from finsy.proto import p4r, stratum
from google.protobuf import any_pb2, wrappers_pb2
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, batch_errors, connected
from .entities import Entities, exact

PRIMARY = grpc.StatusCode.OK
BACKUP = grpc.StatusCode.ALREADY_EXISTS


def _role(name: str, **config: object) -> p4r.Role:
    role = p4r.Role(name=name)
    if config:
        role.config.Pack(stratum.P4RoleConfig(**config))  # type: ignore[arg-type]
    return role


@pytest.mark.requirement("5-1", "5-4", "5.2-1")
async def test_each_role_elects_its_own_primary(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    async with (
        connected(switch.address, 1, _role("reader")) as first,
        connected(switch.address, 2, _role("reader")) as second,
    ):
        await first.become_primary()
        await second.become_primary()
        assert await first.standing() == (BACKUP, 2)
        entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
        await second.insert(entry)
        await primary.delete(entry)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await first.insert(entry)
        assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.requirement("5.4-3", "5.4-4")
async def test_an_update_names_the_role_and_its_config(switch: RunningSwitch) -> None:
    role = _role("router", can_push_pipeline=True)
    async with connected(switch.address, 1, role) as controller:
        await controller.bid()
        update = (await controller.receive()).arbitration
        assert (update.device_id, update.role) == (switch.device_id, role)


@pytest.mark.requirement("5.3-11", "5.4-2", "5.4-4")
async def test_the_config_of_a_role_is_the_latest_of_its_primaries(
    switch: RunningSwitch, entities: Entities
) -> None:
    wide = _role("router", shared_p4_ids=[entities.id("stations"), entities.id("marks")])
    narrow = _role("router", shared_p4_ids=[entities.id("stations")])
    mark = entities.cell("marks", 0, b"\x01")
    async with (
        connected(switch.address, 2, wide) as first,
        connected(switch.address, 1, narrow) as backup,
    ):
        await first.become_primary()
        await backup.bid()
        assert (await backup.receive()).arbitration.role == wide
        await first.modify(mark)
        first.role = narrow
        await first.bid()
        for controller in (backup, first):
            assert (await controller.receive()).arbitration.role == narrow
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await first.modify(mark)
        assert batch_errors(caught.value)[0][0] is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.requirement("5.2-2", "12-10")
async def test_a_config_limits_what_its_role_may_write(
    switch: RunningSwitch, entities: Entities
) -> None:
    role = _role("router", exclusive_p4_ids=[entities.id("stations")])
    async with connected(switch.address, 1, role) as router:
        await router.become_primary()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await router.modify(entities.cell("marks", 0, b"\x01"))
        ((code, message),) = batch_errors(caught.value)
        assert code is grpc.StatusCode.PERMISSION_DENIED
        assert "router may not write register_entry" in message
        await router.insert(entities.entry("stations", [exact(1, 1)], "forward", 1))


@pytest.mark.requirement("5.2-2")
async def test_what_is_exclusive_to_a_role_is_closed_to_others(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    role = _role("router", exclusive_p4_ids=[entities.id("stations")])
    entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
    async with connected(switch.address, 1, role) as router:
        await router.become_primary()
        await router.insert(entry)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await primary.delete(entry)
        assert batch_errors(caught.value)[0][0] is grpc.StatusCode.PERMISSION_DENIED
        rival = _role("rival", exclusive_p4_ids=[entities.id("stations")])
        async with connected(switch.address, 1, rival) as other:
            await other.bid()
            assert await other.end_code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("9.1.6-4", "13-3")
async def test_a_read_by_role_tells_what_is_the_roles(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
    await primary.insert(entry)
    everything = p4r.Entity(table_entry=p4r.TableEntry())
    role = _role("router", shared_p4_ids=[entities.id("stations")])
    async with connected(switch.address, 1, role) as router:
        await router.become_primary()
        assert await router.read(everything, role="router") == [entry]
        assert len(await router.read(everything)) == 2


async def test_only_a_role_with_that_right_may_push_a_pipeline(switch: RunningSwitch) -> None:
    commit = p4r.SetForwardingPipelineConfigRequest.COMMIT
    for may_push, code in (
        (False, grpc.StatusCode.PERMISSION_DENIED),
        (True, grpc.StatusCode.NOT_FOUND),
    ):
        role = _role(f"may push: {may_push}", can_push_pipeline=may_push, receives_packet_ins=True)
        async with connected(switch.address, 1, role) as controller:
            await controller.become_primary()
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await controller.set_config(commit, None)
            assert caught.value.code() is code


@pytest.mark.requirement("5-5")
async def test_packets_come_to_the_roles_that_want_them(
    switch: RunningSwitch, primary: Controller
) -> None:
    marked = stratum.P4RoleConfig.PacketFilter(metadata_id=2, value=b"\x00\x05")
    async with (
        connected(switch.address, 1, _role("none", can_push_pipeline=True)) as none,
        connected(switch.address, 1, _role("all", receives_packet_ins=True)) as everything,
        connected(
            switch.address, 1, _role("some", receives_packet_ins=True, packet_in_filter=marked)
        ) as some,
    ):
        for controller in (none, everything, some):
            await controller.become_primary()
        for mark in (3, 5):
            payload = bytes([0, mark])
            await primary.packet_out(payload, b"\x01\xfe", b"\x00", b"\x00")
        for controller in (primary, everything):
            marks = [(await controller.receive()).packet.metadata[1].value for _ in range(2)]
            assert marks == [b"\x03", b"\x05"]
        assert (await some.receive()).packet.metadata[1].value == b"\x05"
        await none.bid()
        assert (await none.receive()).HasField("arbitration")


@pytest.mark.parametrize("name", ["", "router"], ids=["of the default role", "of another scheme"])
@pytest.mark.requirement("5.3-3")
async def test_a_config_that_is_not_agreed_on_is_refused(
    empty_switch: RunningSwitch, name: str
) -> None:
    config = any_pb2.Any()
    config.Pack(wrappers_pb2.StringValue(value="everything"))
    role = p4r.Role(name=name, config=config)
    async with connected(empty_switch.address, 1, role) as controller:
        await controller.bid()
        assert await controller.end_code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("5.3-8")
async def test_a_live_controller_cannot_change_to_a_config_that_is_not_agreed_on(
    empty_switch: RunningSwitch,
) -> None:
    async with connected(empty_switch.address, 1, _role("router")) as controller:
        await controller.become_primary()
        controller.role.config.Pack(wrappers_pb2.StringValue(value="everything"))
        await controller.bid()
        assert await controller.end_code() is grpc.StatusCode.INVALID_ARGUMENT

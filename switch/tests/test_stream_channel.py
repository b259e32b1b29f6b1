"""Arbitration and stream errors over gRPC (P4Runtime 1.5, sections 5 and 16.6)."""

import grpc
import pytest
from finsy.proto import U128, p4r
from google.protobuf import any_pb2
from p4abs_switch.server.serve import RunningSwitch

from .controller import API_VERSION, Controller, connected

PRIMARY = grpc.StatusCode.OK
BACKUP = grpc.StatusCode.ALREADY_EXISTS
NO_PRIMARY = grpc.StatusCode.NOT_FOUND


@pytest.mark.requirement("5.3-13", "5.3-16", "12-4", "16.2-1")
async def test_a_higher_election_id_takes_over_and_may_write(empty_switch: RunningSwitch) -> None:
    async with (
        connected(empty_switch.address, 1) as old,
        connected(empty_switch.address, 2) as new,
    ):
        await old.become_primary()
        await new.bid()
        assert await new.standing() == (PRIMARY, 2)
        assert await old.standing() == (BACKUP, 2)
        assert await _write_code(old) is grpc.StatusCode.PERMISSION_DENIED
        assert await _write_code(new) is grpc.StatusCode.FAILED_PRECONDITION


@pytest.mark.requirement("5-6", "5-7", "5-8")
async def test_a_closed_stream_leaves_the_backups_without_primary(
    empty_switch: RunningSwitch,
) -> None:
    async with connected(empty_switch.address, 1) as backup:
        async with connected(empty_switch.address, 2) as old:
            await old.become_primary()
            await backup.bid()
            assert await backup.standing() == (BACKUP, 2)
        assert await backup.standing() == (NO_PRIMARY, 2)
        assert await _write_code(backup, 2) is grpc.StatusCode.PERMISSION_DENIED
        await backup.bid(2)
        assert await backup.standing() == (PRIMARY, 2)


async def test_a_stream_closed_in_order_is_ended_in_order(empty_switch: RunningSwitch) -> None:
    async with connected(empty_switch.address) as controller:
        await controller.become_primary()
        await controller.stream.done_writing()
        assert await controller.end_code() is grpc.StatusCode.OK


@pytest.mark.requirement("5.3-1", "16.6-6")
async def test_a_wrong_device_ends_the_stream_with_not_found(empty_switch: RunningSwitch) -> None:
    async with connected(empty_switch.address) as controller:
        await controller.bid(device_id=2)
        assert await controller.end_code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.requirement("5.1-2")
async def test_0_is_no_device_id(empty_switch: RunningSwitch) -> None:
    async with connected(empty_switch.address) as controller:
        await controller.bid(device_id=0)
        assert await controller.end_code() is grpc.StatusCode.NOT_FOUND
        assert await controller.stub.Write(p4r.WriteRequest()).code() is grpc.StatusCode.NOT_FOUND
        assert await controller.stub.Read(p4r.ReadRequest()).code() is grpc.StatusCode.NOT_FOUND


@pytest.mark.requirement("5.3-2", "16.6-6")
async def test_a_used_election_id_ends_the_second_stream_only(empty_switch: RunningSwitch) -> None:
    async with (
        connected(empty_switch.address) as first,
        connected(empty_switch.address) as second,
    ):
        await first.become_primary()
        await second.bid()
        assert await second.end_code() is grpc.StatusCode.INVALID_ARGUMENT
        await first.become_primary()


@pytest.mark.parametrize(
    ("message", "code", "details"),
    [
        (p4r.StreamMessageRequest(), grpc.StatusCode.INVALID_ARGUMENT, "other"),
        (
            p4r.StreamMessageRequest(digest_ack=p4r.DigestListAck(digest_id=3)),
            grpc.StatusCode.PERMISSION_DENIED,
            "digest_list_ack",
        ),
        (
            p4r.StreamMessageRequest(packet=p4r.PacketOut(payload=b"frame")),
            grpc.StatusCode.PERMISSION_DENIED,
            "packet_out",
        ),
        (
            p4r.StreamMessageRequest(other=any_pb2.Any()),
            grpc.StatusCode.UNIMPLEMENTED,
            "other",
        ),
    ],
    ids=[
        "empty message",
        "acknowledgment of a backup",
        "packet of a backup",
        "message of an architecture",
    ],
)
@pytest.mark.requirement("16.5-1", "16.6-1", "16.6-2", "16.6-3")
async def test_a_message_that_is_dropped_is_reported_and_the_stream_lives(
    empty_switch: RunningSwitch,
    message: p4r.StreamMessageRequest,
    code: grpc.StatusCode,
    details: str,
) -> None:
    async with connected(empty_switch.address) as controller:
        await controller.send(message)
        report = (await controller.receive()).error
        assert report.canonical_code == code.value[0]
        assert report.WhichOneof("details") == details
        await controller.become_primary()


@pytest.mark.requirement("12-2", "14-2")
async def test_a_stranger_cannot_write_or_set_a_pipeline(empty_switch: RunningSwitch) -> None:
    async with connected(empty_switch.address) as controller:
        assert await _write_code(controller) is grpc.StatusCode.PERMISSION_DENIED
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await controller.set_config(p4r.SetForwardingPipelineConfigRequest.COMMIT, None)
        assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.requirement("12-1", "12-4", "13-1", "14-1", "15-1", "17-1")
async def test_unknown_devices_and_roles_are_not_found(empty_switch: RunningSwitch) -> None:
    async with connected(empty_switch.address) as controller:
        stub = controller.stub
        codes = [
            await stub.Write(p4r.WriteRequest(device_id=2)).code(),
            await stub.Write(p4r.WriteRequest(device_id=1, role="reader")).code(),
            await stub.SetForwardingPipelineConfig(
                p4r.SetForwardingPipelineConfigRequest(device_id=2)
            ).code(),
            await stub.SetForwardingPipelineConfig(
                p4r.SetForwardingPipelineConfigRequest(device_id=1, role="reader")
            ).code(),
            await stub.GetForwardingPipelineConfig(
                p4r.GetForwardingPipelineConfigRequest(device_id=2)
            ).code(),
            await stub.Capabilities(p4r.CapabilitiesRequest(device_id=2)).code(),
            await stub.Read(p4r.ReadRequest(device_id=2)).code(),
            await stub.Read(p4r.ReadRequest(device_id=1, role="reader")).code(),
        ]
        assert codes == [grpc.StatusCode.NOT_FOUND] * len(codes)


@pytest.mark.requirement("17-2", "17-3")
async def test_the_version_of_the_specification_is_told(empty_switch: RunningSwitch) -> None:
    async with connected(empty_switch.address) as controller:
        for device_id in (0, 1):
            answer = await controller.stub.Capabilities(
                p4r.CapabilitiesRequest(device_id=device_id)
            )
            assert answer.p4runtime_api_version == API_VERSION


async def _write_code(controller: Controller, election_id: int | None = None) -> grpc.StatusCode:
    held = controller.election_id if election_id is None else election_id
    request = p4r.WriteRequest(device_id=1, election_id=U128.encode(held))
    return await controller.stub.Write(request).code()


async def test_a_message_of_megabytes_ends_its_stream(primary: Controller) -> None:
    """No packet has so many bytes, and metadata of so many would be dozens of megabytes."""
    await primary.packet_out(bytes(1 << 20))
    assert await primary.end_code() is grpc.StatusCode.RESOURCE_EXHAUSTED

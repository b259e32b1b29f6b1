"""A controller of bare stubs: says to the server exactly what a test wants said."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import grpc
import pytest
from finsy.proto import U128, p4i, p4r, p4r_grpc, rpc_status
from google.protobuf import text_format

DEVICE_ID = 1
API_VERSION = "1.5.0"
"""The specification that is served."""

PATIENCE_S = 60.0
REFUSALS = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.OUT_OF_RANGE,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.UNIMPLEMENTED,
}
"""What a server answers to an entity that it does not take; other codes are its own faults."""

_CODES: dict[int, grpc.StatusCode] = {code.value[0]: code for code in grpc.StatusCode}


def p4info_of(program: Path) -> p4i.P4Info:
    """PROGRAM.p4info.txtpb."""
    return p4i.P4Info.FromString(_encoded(program.with_suffix(".p4info.txtpb").read_text()))


@cache
def _encoded(p4info: str) -> bytes:
    # To read the text takes a hundred times as long, and hundreds of tests have the same.
    return text_format.Parse(p4info, p4i.P4Info()).SerializeToString()


def pipeline_config(program: Path, cookie: int | None = None) -> p4r.ForwardingPipelineConfig:
    """The config of PROGRAM.json and PROGRAM.p4info.txtpb."""
    config = p4r.ForwardingPipelineConfig(
        p4info=p4info_of(program), p4_device_config=program.read_bytes()
    )
    if cookie is not None:
        config.cookie.cookie = cookie
    return config


class Controller:
    """One channel, one stream. Calls that fail raise grpc.aio.AioRpcError."""

    def __init__(
        self, channel: grpc.aio.Channel, election_id: int, role: p4r.Role | None = None
    ) -> None:
        self.stub: p4r_grpc.P4RuntimeAsyncStub = p4r_grpc.P4RuntimeStub(channel)
        self.election_id = election_id
        self.role = role or p4r.Role()
        self.stream = self.stub.StreamChannel()

    async def bid(self, election_id: int | None = None, *, device_id: int = DEVICE_ID) -> None:
        """Sends an arbitration update, by default with the controller's own election id."""
        update = p4r.MasterArbitrationUpdate(
            device_id=device_id,
            election_id=U128.encode(self.election_id if election_id is None else election_id),
        )
        if self.role != p4r.Role():
            update.role.CopyFrom(self.role)
        await self.send(p4r.StreamMessageRequest(arbitration=update))

    async def send(self, message: p4r.StreamMessageRequest) -> None:
        await self.stream.write(message)

    async def receive(self) -> p4r.StreamMessageResponse:
        """The next message of the stream; a failure if it has ended or nothing comes."""
        message = await asyncio.wait_for(self.stream.read(), PATIENCE_S)
        assert isinstance(message, p4r.StreamMessageResponse)
        return message

    async def standing(self) -> tuple[grpc.StatusCode, int | None]:
        """Status and highest election id of the next message, which must be an arbitration."""
        message = await self.receive()
        assert message.HasField("arbitration"), message
        update = message.arbitration
        highest = U128.decode(update.election_id) if update.HasField("election_id") else None
        return _CODES[update.status.code], highest

    async def become_primary(self) -> None:
        await self.bid()
        assert (await self.standing())[0] is grpc.StatusCode.OK

    async def end_code(self) -> grpc.StatusCode:
        """The status with which the server has ended the stream."""
        return await asyncio.wait_for(self.stream.code(), PATIENCE_S)

    async def packet_out(self, payload: bytes, *values: bytes) -> None:
        """A packet with metadata fields 1, 2, ... in order."""
        packet = p4r.PacketOut(payload=payload)
        for number, value in enumerate(values, start=1):
            packet.metadata.add(metadata_id=number, value=value)
        await self.send(p4r.StreamMessageRequest(packet=packet))

    async def write(
        self,
        *updates: p4r.Update,
        atomicity: p4r.WriteRequest.Atomicity.ValueType = p4r.WriteRequest.CONTINUE_ON_ERROR,
    ) -> None:
        await self.stub.Write(
            p4r.WriteRequest(
                device_id=DEVICE_ID,
                role=self.role.name,
                election_id=U128.encode(self.election_id),
                updates=updates,
                atomicity=atomicity,
            )
        )

    async def insert(self, *entities: p4r.Entity) -> None:
        await self.write(*(p4r.Update(type=p4r.Update.INSERT, entity=e) for e in entities))

    async def modify(self, *entities: p4r.Entity) -> None:
        await self.write(*(p4r.Update(type=p4r.Update.MODIFY, entity=e) for e in entities))

    async def delete(self, *entities: p4r.Entity) -> None:
        await self.write(*(p4r.Update(type=p4r.Update.DELETE, entity=e) for e in entities))

    async def read(self, *entities: p4r.Entity, role: str = "") -> list[p4r.Entity]:
        request = p4r.ReadRequest(device_id=DEVICE_ID, role=role, entities=entities)
        return [entity async for part in self.stub.Read(request) for entity in part.entities]

    async def read_partly(
        self, *entities: p4r.Entity
    ) -> tuple[list[p4r.Entity], list[tuple[grpc.StatusCode, str]]]:
        """What a read that fails has returned before, and the errors of its elements."""
        found: list[p4r.Entity] = []
        try:
            request = p4r.ReadRequest(device_id=DEVICE_ID, entities=entities)
            async for response in self.stub.Read(request):
                found += response.entities
        except grpc.aio.AioRpcError as error:
            return found, batch_errors(error)
        raise AssertionError("the read has not failed")

    async def set_config(
        self,
        action: p4r.SetForwardingPipelineConfigRequest.Action.ValueType,
        config: p4r.ForwardingPipelineConfig | None,
    ) -> None:
        await self.stub.SetForwardingPipelineConfig(
            p4r.SetForwardingPipelineConfigRequest(
                device_id=DEVICE_ID,
                role=self.role.name,
                election_id=U128.encode(self.election_id),
                action=action,
                config=config,
            )
        )

    async def get_config(
        self,
        response_type: p4r.GetForwardingPipelineConfigRequest.ResponseType.ValueType = (
            p4r.GetForwardingPipelineConfigRequest.ALL
        ),
    ) -> p4r.GetForwardingPipelineConfigResponse:
        return await self.stub.GetForwardingPipelineConfig(
            p4r.GetForwardingPipelineConfigRequest(device_id=DEVICE_ID, response_type=response_type)
        )


async def failure(
    controller: Controller, kind: p4r.Update.Type.ValueType, entity: p4r.Entity
) -> tuple[grpc.StatusCode, str]:
    """The code and message with which the one update of a batch fails."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await controller.write(p4r.Update(type=kind, entity=entity))
    (error,) = batch_errors(caught.value)
    return error


@asynccontextmanager
async def connected(
    address: str, election_id: int = 1, role: p4r.Role | None = None
) -> AsyncIterator[Controller]:
    """A controller with an open channel; its stream opens with its first message."""
    async with grpc.aio.insecure_channel(address) as channel:
        yield Controller(channel, election_id, role)


def batch_errors(error: grpc.aio.AioRpcError) -> list[tuple[grpc.StatusCode, str]]:
    """Code and message of each element of a batch that failed, from the call's status details."""
    assert error.code() is grpc.StatusCode.UNKNOWN, error
    (details,) = (v for k, v in error.trailing_metadata() if k == "grpc-status-details-bin")
    assert isinstance(details, bytes)
    status = rpc_status.Status.FromString(details)
    assert status.code == grpc.StatusCode.UNKNOWN.value[0]
    errors = []
    for detail in status.details:
        element = p4r.Error()
        assert detail.Unpack(element)
        errors.append((_CODES[element.canonical_code], element.message))
    return errors

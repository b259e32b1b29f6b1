"""A program in a switch of this process, by P4Runtime's messages and without gRPC."""

from collections.abc import Iterator

import grpc
import pytest
from finsy.proto import U128, p4i, p4r, rpc_status
from p4abs_switch import PortConfig, Switch
from p4abs_switch._engine import Device

from .controller import DEVICE_ID
from .refusals import CODES, RequestError, refusals

CPU_PORT = 510
_ELECTION_ID = 1


class Model:
    """A device with ports 1 to 3 that runs a config, and its primary.

    Raises RequestError for a config that is refused.
    """

    def __init__(self, config: p4r.ForwardingPipelineConfig) -> None:
        ports = [PortConfig(number) for number in (1, 2, 3)]
        self.switch = Switch(ports, CPU_PORT)
        self.device = Device(DEVICE_ID, self.switch)
        with refusals():
            self.device.commit(config.SerializeToString())
        self.stream = self.device.enter()
        bid = p4r.MasterArbitrationUpdate(
            device_id=DEVICE_ID, election_id=U128.encode(_ELECTION_ID)
        )
        self.say(p4r.StreamMessageRequest(arbitration=bid))
        self.told()

    def say(self, message: p4r.StreamMessageRequest) -> None:
        """As the primary, on its stream."""
        with refusals():
            self.stream.receive(message.SerializeToString())

    def send(self, packet: p4r.PacketOut) -> None:
        """Raises RequestError for a packet that is dropped."""
        self.say(p4r.StreamMessageRequest(packet=packet))
        for message in self.told():
            if message.HasField("error"):
                raise RequestError(CODES[message.error.canonical_code], message.error.message)

    def told(self) -> list[p4r.StreamMessageResponse]:
        """What the primary has been told since the last call."""
        return [p4r.StreamMessageResponse.FromString(message) for message in self.stream.take()]

    def errors(self, request: p4r.WriteRequest) -> list[RequestError | None]:
        """What each update has come to."""
        request.device_id = DEVICE_ID
        request.election_id.CopyFrom(U128.encode(_ELECTION_ID))
        with refusals():
            failed = self.device.write(request.SerializeToString())
        return errors_of(failed) if failed else [None] * len(request.updates)

    def write(self, kind: p4r.Update.Type.ValueType, entity: p4r.Entity) -> None:
        """Applies one update. Raises RequestError."""
        update = p4r.Update(type=kind, entity=entity)
        [error] = self.errors(p4r.WriteRequest(updates=[update]))
        if error is not None:
            raise error

    def insert(self, entity: p4r.Entity) -> None:
        self.write(p4r.Update.INSERT, entity)

    def modify(self, entity: p4r.Entity) -> None:
        self.write(p4r.Update.MODIFY, entity)

    def delete(self, entity: p4r.Entity) -> None:
        self.write(p4r.Update.DELETE, entity)

    def read(self, *entities: p4r.Entity) -> list[p4r.Entity]:
        """What is found. Raises the RequestError of the first request that is refused."""
        request = p4r.ReadRequest(device_id=DEVICE_ID, entities=entities)
        with refusals():
            messages, failed = self.device.read(request.SerializeToString())
        if failed:
            raise next(error for error in errors_of(failed) if error is not None)
        return [
            entity
            for message in messages
            for entity in p4r.ReadResponse.FromString(message).entities
        ]


def verify(p4info: p4i.P4Info, json: bytes) -> None:
    """Raises RequestError for a config that no switch would run."""
    Model(p4r.ForwardingPipelineConfig(p4info=p4info, p4_device_config=json))


def errors_of(failed: tuple[str, bytes]) -> list[RequestError | None]:
    """The errors in the status of a batch."""

    def errors() -> Iterator[RequestError | None]:
        for detail in rpc_status.Status.FromString(failed[1]).details:
            error = p4r.Error()
            assert detail.Unpack(error)
            code = CODES[error.canonical_code]
            yield RequestError(code, error.message) if error.canonical_code else None

    return list(errors())


def assert_refused(
    model: Model, entity: p4r.Entity, code: grpc.StatusCode, match: str = ""
) -> None:
    """An INSERT is refused and leaves nothing."""
    with pytest.raises(RequestError, match=match) as caught:
        model.insert(entity)
    assert caught.value.code is code

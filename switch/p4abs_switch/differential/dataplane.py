"""BMv2's dataplane service (gRPC): a frame in, the frames out.

Its two messages are small enough to be described here; BMv2 installs no bindings for them.
"""

import time
from typing import Any

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_METHOD = "/p4.bm.DataplaneInterface/PacketStream"
_STARTING = "not ready"
_RETRY_S = 0.02
_EXCHANGE_TIMEOUT_S = 2.0


def _message_class(name: str) -> Any:
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(
        name=f"p4abs/{name}.proto", package="p4.bm", syntax="proto3"
    )
    message = file.message_type.add(name=name)
    fields = (
        ("id", kinds.TYPE_UINT64),
        ("device_id", kinds.TYPE_UINT64),
        ("port", kinds.TYPE_UINT32),
        ("packet", kinds.TYPE_BYTES),
    )
    for number, (field, kind) in enumerate(fields, start=1):
        message.field.add(name=field, number=number, type=kind, label=kinds.LABEL_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"p4.bm.{name}"))


_Request = _message_class("PacketStreamRequest")
_Response = _message_class("PacketStreamResponse")


class Dataplane:
    """The service of one switch."""

    def __init__(self, address: str, device_id: int) -> None:
        self._device_id = device_id
        self._channel = grpc.insecure_channel(address)
        self._stream = self._channel.stream_stream(
            _METHOD,
            request_serializer=_Request.SerializeToString,
            response_deserializer=_Response.FromString,
        )

    def exchange(self, port: int, frame: bytes) -> list[tuple[int, bytes]]:
        """Sends a frame and waits until the switch has none left.

        Raises ConnectionError when that does not happen.
        """
        request = _Request(device_id=self._device_id, port=port, packet=frame)
        deadline_s = time.monotonic() + _EXCHANGE_TIMEOUT_S
        while True:
            answers = self._stream(
                iter((request,)), timeout=_EXCHANGE_TIMEOUT_S, wait_for_ready=True
            )
            try:
                return [(answer.port, answer.packet) for answer in answers]
            except grpc.RpcError as error:
                if error.details() != _STARTING or time.monotonic() > deadline_s:
                    raise ConnectionError(f"BMv2's dataplane: {error.code().name}") from None
                time.sleep(_RETRY_S)

    def close(self) -> None:
        """Ends the connection."""
        self._channel.close()

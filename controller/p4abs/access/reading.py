"""What any client may ask a switch: no stream, no election, nothing is changed."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Self, TypeAlias

import grpc
from finsy.proto import p4i, p4r, p4r_grpc
from google.protobuf import json_format, struct_pb2

from p4abs.access.capabilities import SwitchPort
from p4abs.access.program import Pipeline, Program
from p4abs.access.rpc_error import RpcError, raise_first
from p4abs.access.tls import TlsFiles

ANSWER_TIMEOUT_S = 5.0

_ShowPorts: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[struct_pb2.Struct, struct_pb2.Struct]"

# A channel of one connection only: no shared reconnection state, no proxy, and a peer that
# vanished without a word is noticed.
_CHANNEL_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_http_proxy", 0),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.max_receive_message_length", 64 * 2**20),
    # A batch's errors: some 40 bytes for each of its elements as soon as one has failed.
    ("grpc.max_metadata_size", 4 * 2**20),
    ("grpc.absolute_max_metadata_size", 4 * 2**20),
)


class ReadOnlyConnection:
    """A channel to a switch, used as `async with ReadOnlyConnection(...)`.

    Entering raises TlsError when a file of `tls` cannot be used; without `tls` nothing is
    encrypted. Whether the switch answers shows with the first call.
    """

    def __init__(self, address: str, device_id: int, tls: TlsFiles | None = None) -> None:
        self.address = address
        self.device_id = device_id
        self._tls = tls

    async def __aenter__(self) -> Self:
        self._channel = self._open_channel()
        self._stub = p4r_grpc.P4RuntimeStub(self._channel)
        # Answers are kept as bytes: they may be long, and concatenated messages are one message.
        self._read: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = self._channel.unary_stream(
            "/p4.v1.P4Runtime/Read"
        )
        self._show_ports: _ShowPorts = self._channel.unary_unary(
            "/p4abs.switch.v1.Ports/ShowPorts",
            request_serializer=struct_pb2.Struct.SerializeToString,
            response_deserializer=struct_pb2.Struct.FromString,
        )
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._close()

    async def _close(self) -> None:
        await self._channel.close()

    def _open_channel(self) -> grpc.aio.Channel:
        if self._tls is None:
            return grpc.aio.insecure_channel(self.address, options=_CHANNEL_OPTIONS)
        credentials = self._tls.channel_credentials()
        return grpc.aio.secure_channel(self.address, credentials, options=_CHANNEL_OPTIONS)

    async def read(self, entities: Sequence[p4r.Entity], timeout_s: float) -> list[p4r.Entity]:
        """The entities that the switch has for these requests, in its order."""
        answer, failures = await self.read_partly(self.read_request(entities), timeout_s)
        raise_first(failures)
        return [*p4r.ReadResponse.FromString(answer).entities]

    def read_request(self, entities: Sequence[p4r.Entity]) -> bytes:
        """What read_partly sends, as often as wanted."""
        return p4r.ReadRequest(device_id=self.device_id, entities=entities).SerializeToString()

    async def read_partly(
        self, request: bytes, timeout_s: float
    ) -> tuple[bytes, dict[int, RpcError]]:
        """A ReadResponse, with the errors of the requests that failed by their positions."""
        answer = []
        try:
            async for part in self._read(request, timeout=timeout_s):
                answer.append(part)
        except grpc.aio.AioRpcError as error:
            return b"".join(answer), RpcError.failures("read", error)
        return b"".join(answer), {}

    async def installed_program(self) -> tuple[Program | None, int]:
        """The switch's program and its cookie; (None, 0) when it has none. It is the P4Info only,
        unless that lacks registers.

        A program without a cookie, such as one that the switch started with, gets a cookie made
        from its content.
        """
        p4info, cookie = await self.installed_p4info()
        if p4info is None:
            return None, 0
        program = Program(p4info)
        if cookie and not program.lacks_registers:
            return program, cookie
        content = await self._content()
        if content is None:
            return program, cookie
        if program.lacks_registers:
            program = Program(p4info, content.device_config)
        return program, cookie or content.cookie

    async def _content(self) -> Pipeline | None:
        """None if the switch does not tell, such as where the program is too large for an
        answer."""
        with suppress(RpcError):
            config = await self.installed_config()
            if config is not None:
                return Pipeline(config.p4info, config.p4_device_config)
        return None

    async def installed_p4info(self) -> tuple[p4i.P4Info | None, int]:
        """That of any program."""
        kind = p4r.GetForwardingPipelineConfigRequest.ResponseType.P4INFO_AND_COOKIE
        config = await self._installed(kind)
        return (None, 0) if config is None else (config.p4info, config.cookie.cookie)

    async def installed_config(self) -> p4r.ForwardingPipelineConfig | None:
        """All that was pushed; None when the switch has no program."""
        return await self._installed(p4r.GetForwardingPipelineConfigRequest.ResponseType.ALL)

    async def ports(self) -> dict[int, SwitchPort]:
        """The switch's ports by their numbers; none: only the embedded switch tells
        (p4abs_switch/port_service.py). Raises RpcError if the switch does not answer."""
        try:
            told = await self._show_ports(
                struct_pb2.Struct(
                    fields={"device_id": struct_pb2.Value(string_value=f"{self.device_id}")}
                ),
                timeout=ANSWER_TIMEOUT_S,
            )
        except grpc.aio.AioRpcError as error:
            wrapped = RpcError.wrap("show ports", error)
            if wrapped.is_unavailable:
                raise wrapped from None
            return {}
        ports = json_format.MessageToDict(told).get("ports", [])
        return {
            int(each["port"]): SwitchPort(
                int(each["queues"]),
                bool(each.get("is_up", True)),
                int(each.get("forwarded_packets", 0)),
            )
            for each in ports
            if "queues" in each
        }

    async def _installed(
        self, kind: p4r.GetForwardingPipelineConfigRequest.ResponseType.ValueType
    ) -> p4r.ForwardingPipelineConfig | None:
        request = p4r.GetForwardingPipelineConfigRequest(
            device_id=self.device_id, response_type=kind
        )
        try:
            response = await self._stub.GetForwardingPipelineConfig(
                request, timeout=ANSWER_TIMEOUT_S
            )
        except grpc.aio.AioRpcError as error:
            wrapped = RpcError.wrap("get pipeline", error)
            if wrapped.is_pipeline_missing:
                return None
            raise wrapped from None
        return response.config if response.config.HasField("p4info") else None

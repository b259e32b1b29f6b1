"""A stand-in for Stratum on a Tofino: P4Runtime as Stratum speaks it, without Stratum or a chip.

It knows of Stratum what its sources say (github.com/stratum/stratum, f8f7130): the device
configuration is a BfPipelineConfig, a packet-out needs each field of its header, a table's entry
that is there is not inserted again.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
from finsy.proto import p4i, p4r, rpc_status
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from p4abs.p4_constants import CPU_PORT, ETHER_TYPE_MAILBOX, PACKET_IN_MAILBOX
from p4abs_switch import Switch
from p4abs_switch._engine import ControllerStream, Device, RequestRefused

from controller.tests.tofino.ports import TofinoPort

Code = grpc.StatusCode

_Field = descriptor_pb2.FieldDescriptorProto


def _bf_pipeline_config() -> Any:
    """The message class, by stratum/hal/lib/barefoot/bf.proto."""
    file = descriptor_pb2.FileDescriptorProto(
        name="bf.proto", package="stratum.hal.barefoot", syntax="proto3"
    )
    config = file.message_type.add(name="BfPipelineConfig")
    profile = config.nested_type.add(name="Profile")
    once, often = _Field.LABEL_OPTIONAL, _Field.LABEL_REPEATED
    profile.field.add(name="profile_name", number=1, label=once, type=_Field.TYPE_STRING)
    profile.field.add(name="context", number=2, label=once, type=_Field.TYPE_BYTES)
    profile.field.add(name="binary", number=3, label=once, type=_Field.TYPE_BYTES)
    profile.field.add(name="pipe_scope", number=4, label=often, type=_Field.TYPE_UINT32)
    config.field.add(name="p4_name", number=1, label=once, type=_Field.TYPE_STRING)
    config.field.add(name="bfruntime_info", number=2, label=once, type=_Field.TYPE_BYTES)
    name = ".stratum.hal.barefoot.BfPipelineConfig.Profile"
    config.field.add(
        name="profiles", number=3, label=often, type=_Field.TYPE_MESSAGE, type_name=name
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = pool.FindMessageTypeByName("stratum.hal.barefoot.BfPipelineConfig")
    return message_factory.GetMessageClass(found)


BfPipelineConfig = _bf_pipeline_config()


_CODES = {code.value[0]: code for code in Code}
_Context = grpc.aio.ServicerContext[Any, Any]
# Of a device that has no program: the request comes from its primary.
_IS_PRIMARY = Code.FAILED_PRECONDITION


class _Refused(Exception):
    """A request that is refused: code and message."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class StratumStandIn:
    """What is asked of a device. Its elections are those of the embedded switch."""

    def __init__(
        self, p4info: p4i.P4Info | None = None, port: Callable[[], TofinoPort] = TofinoPort
    ) -> None:
        self.address = ""
        self.ports: dict[int, TofinoPort] = defaultdict(port)
        self.config = p4r.ForwardingPipelineConfig()
        if p4info is not None:
            self.config.p4info.CopyFrom(p4info)
        self.device_config: Any = None
        self.entries: dict[int, p4r.TableEntry] = {}
        self.mtu_entries: dict[int, p4r.TableEntry] = {}
        self.meters: dict[int, p4r.MeterConfig] = {}
        self.writes: list[p4r.Update] = []
        self.packets = 0
        self.now_ns: Callable[[], int] = time.monotonic_ns
        self.drops: Callable[[int], bool] = lambda packet: False
        self.refused_ports: set[int] = set()
        self._elections = Device(1, Switch(()))
        self._streams: dict[ControllerStream, asyncio.Queue[bytes | _Refused | None]] = {}

    def end(self) -> None:
        """Ends all streams, as a switch that goes down."""
        for told in self._streams.values():
            told.put_nowait(_Refused(Code.UNAVAILABLE, "going down"))

    async def stream_channel(self, requests: AsyncIterable[bytes], context: _Context) -> None:
        stream = self._elections.enter()
        told = self._streams[stream] = asyncio.Queue()
        receiving = asyncio.create_task(self._receive_all(stream, requests))
        try:
            while (message := await told.get()) is not None:
                if isinstance(message, _Refused):
                    await context.abort(message.code, message.message)
                await context.write(message)
        finally:
            receiving.cancel()
            del self._streams[stream]
            stream.leave()
            self._tell()

    async def _receive_all(self, stream: ControllerStream, requests: AsyncIterable[bytes]) -> None:
        told = self._streams[stream]
        try:
            async for request in requests:
                self._receive(stream, p4r.StreamMessageRequest.FromString(request))
        except RequestRefused as error:
            told.put_nowait(_Refused(_CODES[error.args[0]], error.args[1]))
        finally:
            told.put_nowait(None)

    def _tell(self) -> None:
        """Sends controllers where they stand."""
        for stream, told in self._streams.items():
            for message in stream.take():
                told.put_nowait(message)

    def _receive(self, stream: ControllerStream, request: p4r.StreamMessageRequest) -> None:
        if request.HasField("arbitration"):
            stream.receive(request.SerializeToString())
            self._tell()
            return
        fields = self._fields("packet_out", request.packet)
        ethernet, frame = request.packet.payload[:14], request.packet.payload[14:]
        assert fields == {"egress_port": CPU_PORT, "submit_to_ingress": 0, "unused_pad": 0}
        assert ethernet[12:] == ETHER_TYPE_MAILBOX.to_bytes(2, "big")
        self.packets += 1
        if self.drops(self.packets):
            return
        head, requests = self._taken("mailbox", frame)
        records = self._served(head["sequence"], requests)
        self.send(PACKET_IN_MAILBOX, ethernet + self._coded("mailbox", head) + records)

    def send(self, reason: int, payload: bytes) -> None:
        """A packet-in, to every controller."""
        values = {"ingress_port": CPU_PORT, "target_egress_port": CPU_PORT, "reason": reason}
        metadata = [
            p4r.PacketMetadata(metadata_id=field.id, value=_canonical(values[field.name]))
            for field in self._header("packet_in")
        ]
        packet = p4r.PacketIn(metadata=metadata, payload=payload)
        response = p4r.StreamMessageResponse(packet=packet)
        for told in self._streams.values():
            told.put_nowait(response.SerializeToString())

    def _served(self, sequence: int, payload: bytes) -> bytes:
        """The records in the place of the requests; each stands before those of earlier passes."""
        records, left = b"", 1
        while left:
            request, payload = self._taken("mailbox_request", payload)
            record = self.ports[request["port"]].request(self.now_ns(), sequence, request)
            records = self._coded("mailbox_record", record) + records
            left = request["requests_left"]
        return records + payload

    async def write(self, request: bytes, context: _Context) -> bytes:
        batch = p4r.WriteRequest.FromString(request)
        await self._check_writer(batch, context)
        failed = _failed([self._write(update) for update in batch.updates])
        if failed is not None:
            message, status = failed
            metadata = (("grpc-status-details-bin", status),)
            await context.abort(Code.UNKNOWN, message, metadata)
        return b""

    async def read(self, request: bytes, context: _Context) -> AsyncIterator[bytes]:
        [wanted] = p4r.ReadRequest.FromString(request).entities
        if wanted.HasField("meter_entry"):
            yield p4r.ReadResponse(entities=self._meter_entries(wanted)).SerializeToString()
            return
        table_id = wanted.table_entry.table_id
        assert table_id in (self._table_of_ports().preamble.id, self._mtus().preamble.id)
        default = p4r.TableEntry(table_id=table_id, is_default_action=True)
        is_mtu = table_id == self._mtus().preamble.id
        found = [*(self.mtu_entries if is_mtu else self.entries).values(), default]
        entities = [p4r.Entity(table_entry=entry) for entry in found]
        yield p4r.ReadResponse(entities=entities).SerializeToString()

    async def set_config(self, request: bytes, context: _Context) -> bytes:
        change = p4r.SetForwardingPipelineConfigRequest.FromString(request)
        await self._check_writer(change, context)
        self._change(change)
        return b""

    async def get_config(self, request: bytes, context: _Context) -> bytes:
        if not self.config.HasField("p4info"):
            await context.abort(Code.FAILED_PRECONDITION, "no pipeline")
        return p4r.GetForwardingPipelineConfigResponse(config=self.config).SerializeToString()

    async def capabilities(self, request: bytes, context: _Context) -> bytes:
        return self._elections.capabilities(request)

    async def _check_writer(
        self,
        request: p4r.WriteRequest | p4r.SetForwardingPipelineConfigRequest,
        context: _Context,
    ) -> None:
        named = p4r.WriteRequest(device_id=1, role=request.role)
        if request.HasField("election_id"):
            named.election_id.CopyFrom(request.election_id)
        try:
            self._elections.write(named.SerializeToString())
        except RequestRefused as error:
            code = _CODES[error.args[0]]
            if code is not _IS_PRIMARY:
                await context.abort(code, error.args[1])

    def handler(self) -> grpc.GenericRpcHandler:
        """The calls by their names."""
        unary, stream = grpc.unary_unary_rpc_method_handler, grpc.unary_stream_rpc_method_handler
        calls: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
            "Write": unary(self.write),
            "Read": stream(self.read),
            "SetForwardingPipelineConfig": unary(self.set_config),
            "GetForwardingPipelineConfig": unary(self.get_config),
            "Capabilities": unary(self.capabilities),
            "StreamChannel": grpc.stream_stream_rpc_method_handler(self.stream_channel),
        }
        return grpc.method_handlers_generic_handler("p4.v1.P4Runtime", calls)

    def _change(self, change: p4r.SetForwardingPipelineConfigRequest) -> None:
        self.device_config = BfPipelineConfig.FromString(change.config.p4_device_config)
        self.config.CopyFrom(change.config)
        self.entries.clear()
        self.mtu_entries.clear()
        self.meters.clear()
        self.ports.clear()

    def _write(self, update: p4r.Update) -> _Refused | None:
        if update.entity.HasField("meter_entry"):
            meter = update.entity.meter_entry
            assert (update.type, meter.meter_id) == (p4r.Update.MODIFY, self._meter().preamble.id)
            self.meters[meter.index.index] = meter.config
            return None
        self.writes.append(update)
        entry = update.entity.table_entry
        is_mtu = entry.table_id == self._mtus().preamble.id
        assert is_mtu or entry.table_id == self._table_of_ports().preamble.id
        entries = self.mtu_entries if is_mtu else self.entries
        port = int.from_bytes(entry.match[0].exact.value, "big")
        if port in self.refused_ports:
            return _Refused(Code.RESOURCE_EXHAUSTED, "no room")
        if (update.type == p4r.Update.INSERT) is (port in entries):
            is_there = port in entries
            return _Refused(Code.ALREADY_EXISTS if is_there else Code.NOT_FOUND, "no")
        entries[port] = entry
        if is_mtu:
            return None
        [action] = [
            action.preamble.name
            for action in self.config.p4info.actions
            if action.preamble.id == entry.action.action.action_id
        ]
        self.ports[port].rate_gbps = int(action.rpartition("_")[2])
        return None

    def wire_bytes(self) -> dict[int, int]:
        """What a frame of a port counts for at most, where there is an entry."""
        return {
            port: int.from_bytes(entry.action.action.params[0].value, "big")
            for port, entry in self.mtu_entries.items()
        }

    def _meter_entries(self, wanted: p4r.Entity) -> list[p4r.Entity]:
        """Of every index; one without rates says nothing of them."""
        meter = self._meter()
        assert wanted.meter_entry.meter_id == meter.preamble.id
        entries = [
            p4r.MeterEntry(
                meter_id=meter.preamble.id,
                index=p4r.Index(index=index),
                config=self.meters.get(index),
            )
            for index in range(meter.size)
        ]
        return [p4r.Entity(meter_entry=entry) for entry in entries]

    def _meter(self) -> p4i.Meter:
        [meter] = self.config.p4info.meters
        return meter

    def _mtus(self) -> p4i.Table:
        [table] = [each for each in self.config.p4info.tables if each.preamble.alias == "port_mtu"]
        return table

    def _table_of_ports(self) -> p4i.Table:
        """What makes a queue a port's."""
        [table] = [
            table
            for table in self.config.p4info.tables
            if table.preamble.name.rpartition(".")[2] in ("drain_rate", "port_of_queue")
        ]
        return table

    def _header(self, name: str) -> list[p4i.ControllerPacketMetadata.Metadata]:
        [found] = [
            header.metadata
            for header in self.config.p4info.controller_packet_metadata
            if header.preamble.name == name
        ]
        return list(found)

    def _taken(self, header: str, payload: bytes) -> tuple[dict[str, int], bytes]:
        """A header's values, and what follows it."""
        values = {}
        for field in self._header(header):
            values[field.name] = int.from_bytes(payload[: field.bitwidth // 8], "big")
            payload = payload[field.bitwidth // 8 :]
        return values, payload

    def _coded(self, header: str, values: dict[str, int]) -> bytes:
        return b"".join(
            values[field.name].to_bytes(field.bitwidth // 8, "big")
            for field in self._header(header)
        )

    def _fields(self, header: str, packet: p4r.PacketOut) -> dict[str, int]:
        values = {item.metadata_id: int.from_bytes(item.value, "big") for item in packet.metadata}
        return {field.name: values[field.id] for field in self._header(header)}


def _failed(errors: list[_Refused | None]) -> tuple[str, bytes] | None:
    """A message and a google.rpc.Status of a batch, an element for each; None: all is well."""
    if not any(errors):
        return None
    status = rpc_status.Status(code=Code.UNKNOWN.value[0], message="batch")
    for error in errors:
        failed = error and p4r.Error(canonical_code=error.code.value[0], message=error.message)
        status.details.add().Pack(failed or p4r.Error())
    return status.message, status.SerializeToString()


def _canonical(value: int) -> bytes:
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


@asynccontextmanager
async def serving(stand_in: StratumStandIn, address: str = "127.0.0.1:0"):
    """Serves it at its `address`."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((stand_in.handler(),))
    stand_in.address = f"127.0.0.1:{server.add_insecure_port(address)}"
    await server.start()
    try:
        yield stand_in
    finally:
        stand_in.end()
        await asyncio.shield(server.stop(0))

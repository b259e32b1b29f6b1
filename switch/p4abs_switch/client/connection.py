"""A P4Runtime session with a switch: its channel, its stream and its place in the election."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from threading import Condition, Thread
from typing import Any, Self, TypeVar

import grpc
from finsy.proto import U128, p4i, p4r, p4r_grpc, rpc_code
from google.protobuf.struct_pb2 import Struct

from p4abs_switch import port_service
from p4abs_switch.client.rpc_error import RpcError
from p4abs_switch.errors import Failure

GREATEST_ELECTION_ID = (1 << 128) - 1

ANSWER_TIMEOUT_S = 5.0
_CALL_TIMEOUT_S = 30.0
# The time that a switch has to end its side, so that the next controller finds the election id
# free.
_END_TIMEOUT_S = 1.0

# BMv2's device id, and that of servers for which 0 is no device, as P4Runtime says.
_DEFAULT_DEVICE_IDS = (0, 1)

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

_OF_STRUCTS: Mapping[str, Any] = {
    "request_serializer": Struct.SerializeToString,
    "response_deserializer": Struct.FromString,
}
_Answer = TypeVar("_Answer")
_Config = p4r.ForwardingPipelineConfig
_SetPipeline = p4r.SetForwardingPipelineConfigRequest
_GetPipeline = p4r.GetForwardingPipelineConfigRequest


class NotPrimary(Failure):
    """A controller with a higher election id is in charge of the switch."""


def how_to_outbid(election_id: int) -> str:
    """What users can do if their election id is not above this one."""
    if election_id >= GREATEST_ELECTION_ID:
        return "no --election-id is higher"
    return f"--election-id {election_id + 1} or higher takes the switch over"


class ReadOnlyConnection:
    """A channel to a switch, used as `with ReadOnlyConnection(...)`: no election, nothing changes.

    device_id: None: BMv2's 0 or P4Runtime's 1, the first that runs a program, or else is known.
    credentials: without them nothing is encrypted.
    """

    device_id: int

    def __init__(
        self,
        address: str,
        device_id: int | None,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        self.address = address
        self._wanted_device_id = device_id
        self._credentials = credentials

    def __enter__(self) -> Self:
        self._channel = self._open_channel()
        self._stub = p4r_grpc.P4RuntimeStub(self._channel)
        try:
            wanted = self._wanted_device_id
            self.device_id = self._find_device() if wanted is None else wanted
            self._begin()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _begin(self) -> None:
        """What a session begins with."""

    def _close(self) -> None:
        self._channel.close()

    def read(self, entity: p4r.Entity) -> list[p4r.Entity]:
        """What the switch has that matches, in its order. Raises RpcError, as all that follows."""
        request = p4r.ReadRequest(device_id=self.device_id, entities=[entity])

        def call() -> list[p4r.Entity]:
            answers = self._stub.Read(request, timeout=_CALL_TIMEOUT_S)
            return [found for answer in answers for found in answer.entities]

        return _wrapped("read", call)

    def call_ports(self, method: port_service.Method, fields: port_service.Fields) -> Struct:
        """Asks the service beside P4Runtime."""
        call = self._channel.unary_unary(f"/{port_service.SERVICE}/{method}", **_OF_STRUCTS)
        request = port_service.message({**fields, "device_id": self.device_id})
        answer: Struct = _wrapped("ports", lambda: call(request, timeout=_CALL_TIMEOUT_S))
        return answer

    def trace(self, fields: port_service.Fields) -> Iterator[str]:
        """Lines about what packets go through, as they come."""
        method = f"/{port_service.SERVICE}/{port_service.Method.TRACE}"
        call = self._channel.unary_stream(method, **_OF_STRUCTS)
        request = port_service.message({**fields, "device_id": self.device_id})
        try:
            for answer in call(request):
                yield answer.fields["lines"].string_value
        except grpc.RpcError as error:
            raise RpcError.wrap("trace", error) from None

    def installed_p4info(self) -> p4i.P4Info | None:
        """That of the program; None without one."""
        config = self._installed(self.device_id, _GetPipeline.ResponseType.P4INFO_AND_COOKIE)
        return None if config is None else config.p4info

    def installed_config(self) -> _Config | None:
        """All that was pushed; None when the switch has no program."""
        return self._installed(self.device_id, _GetPipeline.ResponseType.ALL)

    def _installed(
        self, device_id: int, kind: _GetPipeline.ResponseType.ValueType
    ) -> _Config | None:
        request = _GetPipeline(device_id=device_id, response_type=kind)
        try:
            response = _wrapped(
                "get pipeline",
                lambda: self._stub.GetForwardingPipelineConfig(request, timeout=ANSWER_TIMEOUT_S),
            )
        except RpcError as error:
            if error.is_pipeline_missing:
                return None
            raise
        return response.config if response.config.HasField("p4info") else None

    def _find_device(self) -> int:
        known = []
        for device_id in _DEFAULT_DEVICE_IDS:
            try:
                config = self._installed(device_id, _GetPipeline.ResponseType.P4INFO_AND_COOKIE)
            except RpcError as error:
                if error.is_unavailable:
                    raise
                continue
            if config is not None:
                return device_id
            known.append(device_id)
        return known[0] if known else _DEFAULT_DEVICE_IDS[-1]

    def _open_channel(self) -> grpc.Channel:
        if self._credentials is None:
            return grpc.insecure_channel(self.address, options=_CHANNEL_OPTIONS)
        return grpc.secure_channel(self.address, self._credentials, options=_CHANNEL_OPTIONS)


class Connection(ReadOnlyConnection):
    """An open session.

    Entering raises RpcError when the switch does not answer or refuses the election id.
    """

    def __init__(
        self,
        address: str,
        device_id: int | None,
        election_id: int,
        credentials: grpc.ChannelCredentials | None = None,
    ) -> None:
        super().__init__(address, device_id, credentials)
        self._election_id = election_id
        self._primary_id = 0
        self._is_primary: bool | None = None  # not known, or nobody is
        self._lost: RpcError | None = None
        self._changed = Condition()
        self._digests: deque[p4r.DigestList] = deque()
        self._outgoing: SimpleQueue[p4r.StreamMessageRequest | None] = SimpleQueue()

    def read_only(self) -> ReadOnlyConnection:
        """One to the same device."""
        return ReadOnlyConnection(self.address, self._wanted_device_id, self._credentials)

    def next_digests(self) -> p4r.DigestList:
        """Waits for digests that the switch tells its primary controller."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._digests or self._lost is not None or self._is_primary is False
            )
            if self._digests:
                return self._digests.popleft()
        self.check_primary()
        return self.next_digests()

    def acknowledge(self, digests: p4r.DigestList) -> None:
        """Acknowledges digests, so that the switch forgets them."""
        ack = p4r.DigestListAck(digest_id=digests.digest_id, list_id=digests.list_id)
        self._outgoing.put(p4r.StreamMessageRequest(digest_ack=ack))

    def write(self, update: p4r.Update) -> None:
        """Applies an update as the primary controller. Raises NotPrimary, as all that changes."""
        request = p4r.WriteRequest(
            device_id=self.device_id, election_id=self._as_primary(), updates=[update]
        )
        _wrapped("write", lambda: self._stub.Write(request, timeout=_CALL_TIMEOUT_S))

    def change_ports(self, method: port_service.Method, fields: port_service.Fields) -> Struct:
        """Lets that service change something."""
        election_id = U128.decode(self._as_primary())
        return self.call_ports(method, {**fields, "election_id": election_id})

    def push_config(self, config: _Config) -> None:
        """Replaces the switch's program; its tables and registers start empty."""
        self._set_pipeline(_SetPipeline.VERIFY_AND_COMMIT, config)

    def save_config(self, config: _Config) -> None:
        """Lets a program wait for commit_saved(), with tables and registers of its own."""
        self._set_pipeline(_SetPipeline.VERIFY_AND_SAVE, config)

    def commit_saved(self) -> None:
        """Runs the program that waits."""
        self._set_pipeline(_SetPipeline.COMMIT, None)

    def _set_pipeline(self, action: _SetPipeline.Action.ValueType, config: _Config | None) -> None:
        request = _SetPipeline(
            device_id=self.device_id, election_id=self._as_primary(), action=action, config=config
        )
        _wrapped(
            "push pipeline",
            lambda: self._stub.SetForwardingPipelineConfig(request, timeout=_CALL_TIMEOUT_S),
        )

    def check_primary(self, consequence: str = "") -> None:
        """Raises NotPrimary, whose message says that another controller is primary."""
        self._wait_for_answer(_CALL_TIMEOUT_S)
        if not self._is_primary:
            told = f", and {consequence}" if consequence else ""
            raise NotPrimary(
                f"election id {self._primary_id} is primary{told}; "
                f"{how_to_outbid(self._primary_id)}"
            )

    def _as_primary(self) -> p4r.Uint128:
        """The election id for what changes something. Raises NotPrimary and RpcError."""
        self.check_primary()
        return U128.encode(self._election_id)

    def _wait_for_answer(self, patience_s: float) -> None:
        with self._changed:
            told = self._changed.wait_for(
                lambda: self._lost is not None or self._is_primary is not None, patience_s
            )
            if self._lost is not None:
                raise self._lost
        if not told:
            silence = "the switch does not answer"
            raise RpcError("arbitration", grpc.StatusCode.DEADLINE_EXCEEDED, silence)

    def _bid(self) -> None:
        bid = p4r.MasterArbitrationUpdate(
            device_id=self.device_id, election_id=U128.encode(self._election_id)
        )
        self._outgoing.put(p4r.StreamMessageRequest(arbitration=bid))

    def _read_stream(self) -> None:
        try:
            for message in self._stream:
                self._receive(message)
            ended = "the switch ended the session"
            lost = RpcError("stream", grpc.StatusCode.UNAVAILABLE, ended)
        except grpc.RpcError as error:
            lost = RpcError.wrap("stream", error)
        with self._changed:
            self._lost = lost
            self._changed.notify_all()

    def _receive(self, message: p4r.StreamMessageResponse) -> None:
        """Takes what the switch says on the stream, in a thread of the session."""
        if message.HasField("arbitration"):
            self._arbitrate(message.arbitration)
        elif message.HasField("digest"):
            self._take(message.digest)

    def _take(self, digests: p4r.DigestList) -> None:
        with self._changed:
            self._digests.append(digests)
            self._changed.notify_all()

    def _arbitrate(self, update: p4r.MasterArbitrationUpdate) -> None:
        with self._changed:
            self._primary_id = U128.decode(update.election_id)
            told = update.status.code in (rpc_code.OK, rpc_code.ALREADY_EXISTS)
            self._is_primary = update.status.code == rpc_code.OK if told else None
            self._changed.notify_all()
        if self._is_primary is None:
            # The controller with the highest id has gone. Only this id or a higher one wins now.
            self._election_id = max(self._election_id, self._primary_id)
            self._bid()

    def _begin(self) -> None:
        self._stream = self._stub.StreamChannel(iter(self._outgoing.get, None))
        self._reader = Thread(target=self._read_stream, daemon=True)
        self._reader.start()
        self._bid()
        self._wait_for_answer(ANSWER_TIMEOUT_S)

    def _close(self) -> None:
        self._outgoing.put(None)
        if hasattr(self, "_stream"):
            self._reader.join(_END_TIMEOUT_S)
            self._stream.cancel()
        super()._close()


def _wrapped(operation: str, call: Callable[[], _Answer]) -> _Answer:
    try:
        return call()
    except grpc.RpcError as error:
        raise RpcError.wrap(operation, error) from None

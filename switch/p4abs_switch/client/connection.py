"""A P4Runtime session with a switch: its channel and calls."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self, TypeVar

import grpc
from finsy.proto import U128, p4i, p4r, p4r_grpc
from google.protobuf.struct_pb2 import Struct

from p4abs_switch import port_service
from p4abs_switch.client.primacy import ANSWER_TIMEOUT_S, NotPrimary, Primacy
from p4abs_switch.client.rpc_error import RpcError

_CALL_TIMEOUT_S = 30.0

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
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

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

    def trace(
        self, fields: port_service.Fields, begun: Callable[[], None] = lambda: None
    ) -> Iterator[str]:
        """Lines about what packets go through, as they come; `begun` is called when the switch has
        begun to trace."""
        method = f"/{port_service.SERVICE}/{port_service.Method.TRACE}"
        call = self._channel.unary_stream(method, **_OF_STRUCTS)
        request = port_service.message({**fields, "device_id": self.device_id})
        try:
            answers = call(request)
            answers.initial_metadata()  # waits for the switch to accept or refuse
            if answers.is_active():
                begun()
            for answer in answers:
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
    """An open session. It only reads until something is to be changed; then it becomes primary, and
    stays so to its end.
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
        self._primacy: Primacy | None = None

    def read_only(self) -> ReadOnlyConnection:
        """One to the same device."""
        return ReadOnlyConnection(self.address, self._wanted_device_id, self._credentials)

    def become_primary(self, consequence: str = "") -> Primacy:
        """Becomes primary, unless it is. Raises NotPrimary and RpcError, and then leaves the
        election.

        consequence: of another controller's being primary, for the message.
        """
        if self._primacy is None:
            self._primacy = self._enter(self._election_id)
        try:
            self._primacy.check(consequence)
        except (NotPrimary, RpcError) as error:
            self._leave()
            if isinstance(error, RpcError) and error.is_election_id_used:
                raise self._another_is_primary(consequence) from None
            raise
        return self._primacy

    def next_digests(self) -> p4r.DigestList:
        """Waits for digests that the switch tells its primary controller."""
        while (digests := self.become_primary().next_digests()) is None:
            pass  # becomes primary again, or says who is
        return digests

    def acknowledge(self, digests: p4r.DigestList) -> None:
        """Acknowledges digests, so that the switch forgets them."""
        ack = p4r.DigestListAck(digest_id=digests.digest_id, list_id=digests.list_id)
        self.become_primary().send(p4r.StreamMessageRequest(digest_ack=ack))

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

    def _as_primary(self) -> p4r.Uint128:
        """The election id for what changes something. Raises NotPrimary and RpcError."""
        return U128.encode(self.become_primary().election_id or 0)

    def _receive(self, message: p4r.StreamMessageResponse) -> None:
        """Takes what the switch tells its primary beside digests, in a thread of the session."""

    def _enter(self, election_id: int | None) -> Primacy:
        return Primacy(self._stub, self.device_id, election_id, self._receive)

    def _another_is_primary(self, consequence: str) -> NotPrimary:
        """Who is, if another controller has this one's election id."""
        onlooker = self._enter(None)
        try:
            onlooker.check(consequence)
        except NotPrimary as error:
            return error
        except RpcError:
            pass  # the switch knows no onlookers
        finally:
            onlooker.close()
        return NotPrimary(self._election_id, consequence)

    def _leave(self) -> None:
        if self._primacy is not None:
            self._primacy.close()
            self._primacy = None

    def _close(self) -> None:
        self._leave()
        super()._close()


def _wrapped(operation: str, call: Callable[[], _Answer]) -> _Answer:
    try:
        return call()
    except grpc.RpcError as error:
        raise RpcError.wrap(operation, error) from None

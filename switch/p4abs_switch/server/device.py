"""The device that a server serves: engine, programs and controllers behind one set of requests.

Everything here runs in the event loop's thread and never waits; what takes long is begun here and
completed beside the loop, by who asked for it.
"""

import logging
from collections.abc import Callable, Iterable
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from p4abs_switch import _engine
from p4abs_switch._engine import Found, P4Runtime, Switch, Written
from p4abs_switch.controllers import idle_entries
from p4abs_switch.controllers.arbitration import Arbitration
from p4abs_switch.controllers.digest_lists import DigestLists
from p4abs_switch.controllers.roles import Scope
from p4abs_switch.controllers.streams import ControllerStream
from p4abs_switch.protobuf import p4r
from p4abs_switch.status import Code, RequestError, engine_errors, invalid

_LOG = logging.getLogger(__name__)

# A byte of a message may become dozens in memory; packets have less.
_MOST_BYTES = 2**20

_Message = TypeVar("_Message", bound=Message)


class Device:
    """One switch under its P4Runtime device id. All methods raise RequestError.

    Requests are bytes of P4Runtime's messages. `p4runtime`: the programs, running and saved.
    on_idle: is told of idle entries, too, if it is set.
    """

    def __init__(self, device_id: int, switch: Switch) -> None:
        self.device_id = device_id
        self.switch = switch
        self.p4runtime = P4Runtime(switch)
        self.on_idle: Callable[[idle_entries.Expired], None] | None = None
        self._loads = 0
        self._streams: set[ControllerStream] = set()
        self._failure: str | None = None
        self._arbitration = Arbitration[ControllerStream](device_id)
        self._digest_lists = DigestLists(self._send_digest_list)

    def write(self, request: bytes) -> Written:
        """Begins to apply updates in order (section 12): all of them, unless they are many.

        Nothing else must be written or read until it is complete and was handed to `finish`.
        """
        with engine_errors():
            updates = _engine.Write(request)
        self.check_device(updates.device_id)
        access = self._arbitration.access(self._writer(updates))
        with engine_errors():
            return self.p4runtime.write(updates, access)

    def finish(self, written: Written) -> tuple[str, bytes] | None:
        """What has failed: a message, and a google.rpc.Status with what each update has come to."""
        self._adopt_digests()  # what was written to a saved config waits for its commit
        return written.status()

    def read(self, request: bytes) -> Found:
        """What is found (section 13). Nothing must be written until all of it has been taken."""
        with engine_errors():
            wanted = _engine.Read(request)
        self.check_device(wanted.device_id)
        scope = self._arbitration.reader(wanted.role)
        access = self._arbitration.access(scope) if wanted.role else None
        with engine_errors():
            return self.p4runtime.read(wanted, access)

    def entities(self, request: p4r.ReadRequest) -> list[p4r.Entity]:
        """What is found, at once."""
        found, messages = self.read(request.SerializeToString()), []
        with engine_errors():
            messages += found.take()
            while not found.is_complete:
                messages += found.take()
        return [
            entity
            for message in messages
            for entity in p4r.ReadResponse.FromString(message).entities
        ]

    def config_change(self, request: bytes) -> Callable[[], None]:
        """What does as the request's action says (section 14), in whatever thread.

        `adopt_program` must follow it. Nothing must be written or read meanwhile.
        """
        with engine_errors():
            change = _engine.PipelineChange(request)
        self.check_device(change.device_id)
        if not self._writer(change).may_push_pipeline:
            raise RequestError(
                Code.PERMISSION_DENIED,
                f"role {change.role} may not push a pipeline: its config has no can_push_pipeline",
            )
        return lambda: self.p4runtime.change(change)

    def adopt_program(self) -> None:
        """Takes note of a program that has replaced another, whose digests are forgotten."""
        if self.p4runtime.loads != self._loads:
            self._loads = self.p4runtime.loads
            self._digest_lists.forget()
            self._adopt_digests()
            if self.p4runtime.has_empty_p4info:
                _LOG.warning(
                    "a program without P4Info was pushed: controllers can name none of its tables, "
                    "counters or registers"
                )

    def commit(self, config: p4r.ForwardingPipelineConfig) -> None:
        """Replaces program and state."""
        self._change(lambda: self.p4runtime.commit(config.SerializeToString()))

    def run_without_p4info(self, json: bytes) -> None:
        """Replaces program and state by one that comes without a P4Info, as BMv2's own ways do.

        P4Runtime has what can be told of the JSON as P4Info. Where that is none, it has no config.
        """
        self._change(lambda: self._run_without_p4info(json))

    def start_again(self) -> None:
        """Runs the running program with the state that it starts with."""
        self._change(self.p4runtime.start_again)

    def get_config(self, request: bytes) -> bytes:
        """A GetForwardingPipelineConfigResponse with the parts asked for (section 15)."""
        wanted = parsed(p4r.GetForwardingPipelineConfigRequest, request)
        self.check_device(wanted.device_id)
        return self.p4runtime.config(wanted.response_type)

    def check_capabilities(self, request: p4r.CapabilitiesRequest) -> None:
        """Capabilities are asked of this device or of the server as a whole (section 17)."""
        self._check_alive()
        if request.device_id:
            self.check_device(request.device_id)

    def check_device(self, device_id: int) -> None:
        """Any client may ask this device."""
        self._check_alive()
        if device_id != self.device_id:
            raise RequestError(
                Code.NOT_FOUND, f"no device has id {device_id}; valid: {self.device_id}"
            )

    def check_primary(self, device_id: int, election_id: int | None) -> None:
        """A controller may change what is not of the program: the primary without a role."""
        self.check_device(device_id)
        self._arbitration.writer("", election_id)

    def fail(self, reason: str) -> None:
        """Ends all streams, and refuses every later request, with UNAVAILABLE."""
        self._failure = self._failure or reason
        for stream in self._streams:
            stream.end(RequestError(Code.UNAVAILABLE, self._failure))

    def enter(self, stream: ControllerStream) -> None:
        """Takes a stream that a controller has opened."""
        self._check_alive()
        self._streams.add(stream)

    def receive(self, stream: ControllerStream, request: p4r.StreamMessageRequest) -> None:
        """Takes a message of a controller's stream; an error raised must end the stream."""
        if request.WhichOneof("update") == "arbitration":
            before = list(self._arbitration.primaries())
            self._arbitration.update(stream, request.arbitration)
            if list(self._arbitration.primaries()) != before:
                self._digest_lists.forget()
            return
        try:
            self._receive_unless_arbitration(stream, request)
        except RequestError as error:
            stream.report(error, request)

    def leave(self, stream: ControllerStream) -> None:
        """Forgets a controller whose stream has ended."""
        self._streams.discard(stream)
        self._arbitration.leave(stream)
        if stream.lost_messages:
            _LOG.warning("a controller did not read: %d messages lost", stream.lost_messages)

    def deliver(self, frames: Iterable[bytes]) -> None:
        """Sends frames from the CPU port to the primaries; without one they are lost."""
        primaries = list(self._arbitration.primaries())
        if not primaries or not self.p4runtime.is_running:
            return
        for received in frames:
            try:
                with engine_errors():
                    packet = p4r.PacketIn.FromString(self.p4runtime.packet_in(received))
            except RequestError as error:
                _LOG.warning("%s", error.message)
                continue
            for primary, scope in primaries:
                if scope.receives(packet):
                    primary.send(p4r.StreamMessageResponse(packet=packet))

    def deliver_digests(self, found: Iterable[tuple[str, list[bytes]]]) -> None:
        """Takes digests of the program, for lists to the primaries."""
        for name, fields in found:
            told = self.p4runtime.digest(name, fields)
            if told is not None:
                self._digest_lists.take(*told)

    def report_idle(self) -> None:
        """Tells the primaries which table entries have not been hit for their timeout."""
        primaries = list(self._arbitration.primaries())
        if not self.p4runtime.loads or not (primaries or self.on_idle):
            return
        with engine_errors():
            expired = self.switch.table_expired()
        if self.on_idle is not None:
            self.on_idle(expired)
        if not expired:
            return
        idle = idle_entries.messages(self.p4runtime, expired)
        for primary, scope in primaries:
            entries = [
                entry for entry in idle if self._arbitration.may_access(scope, entry.table_id)
            ]
            if entries:
                notification = idle_entries.notification(entries)
                primary.send(p4r.StreamMessageResponse(idle_timeout_notification=notification))

    def _run_without_p4info(self, json: bytes) -> None:
        # Few programs come so, and the import takes long.
        from p4abs_switch.bmv2.derived_p4info import derive
        from p4abs_switch.bmv2.errors import InputError

        try:
            p4info, reason = derive(json).SerializeToString(), None
        except InputError as error:
            p4info, reason = None, str(error)
        reason = self.p4runtime.run_without_p4info(json, p4info) or reason
        if reason is not None:
            _LOG.warning("the program is not served over P4Runtime without a P4Info: it %s", reason)

    def _change(self, change: Callable[[], None]) -> None:
        with engine_errors():
            change()
        self.adopt_program()

    def _adopt_digests(self) -> None:
        configs = self.p4runtime.digest_configs()
        self._digest_lists.adopt(
            {key: p4r.DigestEntry.Config.FromString(config) for key, config in configs}
        )

    def _send_digest_list(self, digests: p4r.DigestList) -> None:
        for primary, scope in self._arbitration.primaries():
            if self._arbitration.may_access(scope, digests.digest_id):
                primary.send(p4r.StreamMessageResponse(digest=digests))

    def _receive_unless_arbitration(
        self, stream: ControllerStream, request: p4r.StreamMessageRequest
    ) -> None:
        match request.WhichOneof("update"):
            case "packet":
                self._packet_out(stream, request.packet)
            case "digest_ack":
                self._acknowledge(stream, request.digest_ack)
            case None:
                raise invalid("the stream message is empty")
            case other:
                raise RequestError(Code.UNIMPLEMENTED, f"{other} is not supported")

    def _packet_out(self, stream: ControllerStream, packet: p4r.PacketOut) -> None:
        self._check_is_primary(stream)
        with engine_errors():
            self.p4runtime.packet_out(packet.SerializeToString())

    def _acknowledge(self, stream: ControllerStream, ack: p4r.DigestListAck) -> None:
        self._check_is_primary(stream)
        with engine_errors():
            self.p4runtime.check_digest(ack.digest_id)
        self._digest_lists.acknowledge(ack)

    def _check_is_primary(self, stream: ControllerStream) -> None:
        if not self._arbitration.is_primary(stream):
            raise RequestError(
                Code.PERMISSION_DENIED,
                "only a primary may send packets and acknowledge digests",
            )

    def _check_alive(self) -> None:
        if self._failure is not None:
            raise RequestError(Code.UNAVAILABLE, self._failure)

    def _writer(self, request: _engine.Write | _engine.PipelineChange) -> Scope:
        """The scope of the primary that a request comes from."""
        return self._arbitration.writer(request.role, request.election_id)


def parsed(kind: type[_Message], request: bytes) -> _Message:
    """A request that is not about a program. Raises RequestError, of one that is too long, too."""
    if len(request) > _MOST_BYTES:
        raise RequestError(
            Code.RESOURCE_EXHAUSTED,
            f"a {kind.DESCRIPTOR.full_name} has at most {_MOST_BYTES} bytes, not {len(request)}",
        )
    try:
        return kind.FromString(request)
    except DecodeError as error:
        raise invalid(f"this is no {kind.DESCRIPTOR.full_name}: {error}") from None

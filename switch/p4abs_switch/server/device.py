"""The device that a server serves: engine, config and controllers behind one set of requests.

Everything here runs in the event loop's thread and never waits, so a Write, a Read or a config
change is complete before the next one starts (P4Runtime 1.5, sections 12.1 and 13.4).
"""

import logging
from collections.abc import Callable, Iterable, Iterator

from finsy.proto import U128, p4r

from p4abs_switch._engine import Switch
from p4abs_switch.controllers import idle_entries, packet_io
from p4abs_switch.controllers.arbitration import Arbitration
from p4abs_switch.controllers.digest_lists import DigestLists
from p4abs_switch.controllers.object_names import object_name
from p4abs_switch.controllers.roles import Scope
from p4abs_switch.controllers.streams import ControllerStream
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.requests import batch, read
from p4abs_switch.requests.pipeline_config import PipelineConfig
from p4abs_switch.status import Code, RequestError, engine_errors, invalid

_LOG = logging.getLogger(__name__)


class Device:
    """One switch under its P4Runtime device id. All methods raise RequestError.

    on_idle: is told of idle entries, too, if it is set.
    """

    def __init__(self, device_id: int, switch: Switch, stage: Callable[[], Switch]) -> None:
        self.device_id = device_id
        self.switch = switch
        self.config = PipelineConfig(switch, stage)
        self.on_idle: Callable[[idle_entries.Expired], None] | None = None
        self._streams: set[ControllerStream] = set()
        self._failure: str | None = None
        self._arbitration = Arbitration[ControllerStream](device_id)
        self._digest_lists = DigestLists(self._send_digest_list)

    def write(self, request: p4r.WriteRequest) -> list[RequestError | None]:
        """Applies the updates in order; for each one, its error if it failed (section 12)."""
        self.check_device(request.device_id)
        scope = self._writer(request)
        loaded = self.config.current()
        errors = batch.apply(
            loaded,
            request.updates,
            request.atomicity,
            lambda entity: self._arbitration.check_write(scope, entity, self._name_of),
        )
        # What was written to a saved config waits for its commit.
        if self.config.running is not None:
            self._digest_lists.adopt(self.config.running.digest_configs)
        return errors

    def read(
        self, request: p4r.ReadRequest
    ) -> tuple[Iterator[p4r.Entity], list[RequestError | None]]:
        """What was found, and for each request of the batch its error if it failed (section 13)."""
        self.check_device(request.device_id)
        scope = self._arbitration.reader(request.role)
        found, errors = read.entities(self.config.current(), request.entities)
        if request.role:
            found = (entity for entity in found if self._arbitration.may_access(scope, entity))
        return found, errors

    def set_config(self, request: p4r.SetForwardingPipelineConfigRequest) -> None:
        """Does what the request's action says (section 14)."""
        self.check_device(request.device_id)
        if not self._writer(request).may_push_pipeline:
            raise RequestError(
                Code.PERMISSION_DENIED,
                f"role {request.role} may not push a pipeline: its config has no can_push_pipeline",
            )
        self._change(lambda: self.config.set(request))

    def run_without_p4info(self, json: bytes) -> None:
        """Replaces the program by one that comes without a P4Info, as BMv2's own ways do."""
        self._change(lambda: self.config.run_without_p4info(json))

    def start_again(self) -> None:
        """Runs the running program with the state that it starts with."""
        self._change(self.config.start_again)

    def get_config(
        self, request: p4r.GetForwardingPipelineConfigRequest
    ) -> p4r.GetForwardingPipelineConfigResponse:
        """The config, in the parts asked for (section 15)."""
        self.check_device(request.device_id)
        return self.config.get(request.response_type)

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
        self._arbitration.writer("", None if election_id is None else U128.encode(election_id))

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
        loaded, primaries = self.config.running, list(self._arbitration.primaries())
        if loaded is None or not primaries:
            return
        for received in frames:
            try:
                packet = packet_io.packet_in(loaded.program.packet_in, received)
            except RequestError as error:
                _LOG.warning("%s", error.message)
                continue
            for primary, scope in primaries:
                if scope.receives(packet):
                    primary.send(p4r.StreamMessageResponse(packet=packet))

    def deliver_digests(self, found: Iterable[tuple[str, list[bytes]]]) -> None:
        """Takes digests of the program, for lists to the primaries."""
        if self.config.running is not None:
            self._digest_lists.take(self.config.running, found)

    def report_idle(self) -> None:
        """Tells the primaries which table entries have not been hit for their timeout."""
        primaries = list(self._arbitration.primaries())
        if not self.config.json or not (primaries or self.on_idle):
            return
        with engine_errors():
            expired = self.switch.table_expired()
        if self.on_idle is not None:
            self.on_idle(expired)
        if self.config.running is None:
            return
        idle = idle_entries.messages(self.config.running, expired)
        for primary, scope in primaries:
            entries = [
                entry
                for entry in idle
                if self._arbitration.may_access(scope, p4r.Entity(table_entry=entry))
            ]
            if entries:
                notification = idle_entries.notification(entries)
                primary.send(p4r.StreamMessageResponse(idle_timeout_notification=notification))

    def _change(self, change: Callable[[], None]) -> None:
        """Changes the config; digests of a program that is replaced are forgotten."""
        before = self.config.loads
        change()
        if self.config.loads != before:
            self._digest_lists.forget()

    def _send_digest_list(self, digests: p4r.DigestList) -> None:
        entity = p4r.Entity(digest_entry=p4r.DigestEntry(digest_id=digests.digest_id))
        for primary, scope in self._arbitration.primaries():
            if self._arbitration.may_access(scope, entity):
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
        frame = packet_io.frame(self._loaded_for(stream).program.packet_out, packet)
        with engine_errors():
            self.switch.packet_out(frame)

    def _acknowledge(self, stream: ControllerStream, ack: p4r.DigestListAck) -> None:
        self._loaded_for(stream).program.digest(ack.digest_id)
        self._digest_lists.acknowledge(ack)

    def _name_of(self, number: int) -> str:
        """An object of the program, as messages name it."""
        config = self.config.get(p4r.GetForwardingPipelineConfigRequest.P4INFO_AND_COOKIE).config
        return object_name(config.p4info, number)

    def _loaded_for(self, stream: ControllerStream) -> LoadedProgram:
        """What runs, for a controller that is primary."""
        if not self._arbitration.is_primary(stream):
            raise RequestError(
                Code.PERMISSION_DENIED,
                "only a primary may send packets and acknowledge digests",
            )
        if self.config.running is None:
            raise RequestError(
                Code.FAILED_PRECONDITION, "no forwarding pipeline config has been committed yet"
            )
        return self.config.running

    def _check_alive(self) -> None:
        if self._failure is not None:
            raise RequestError(Code.UNAVAILABLE, self._failure)

    def _writer(self, request: p4r.WriteRequest | p4r.SetForwardingPipelineConfigRequest) -> Scope:
        """The scope of the primary that a request comes from."""
        bid = request.election_id if request.HasField("election_id") else None
        return self._arbitration.writer(request.role, bid)

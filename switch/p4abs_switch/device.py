"""The device that a server serves: engine, config and controllers behind one set of requests.

Everything here runs in the event loop's thread and never waits, so a Write, a Read or a config
change is complete before the next one starts (P4Runtime 1.4, sections 12.1 and 13.4).
"""

import logging
from collections.abc import Iterable, Iterator

from finsy.proto import p4r

from p4abs_switch import packet_io, read, write
from p4abs_switch._engine import Switch
from p4abs_switch.arbitration import Arbitration
from p4abs_switch.pipeline_config import PipelineConfig
from p4abs_switch.status import Code, RequestError, engine_errors
from p4abs_switch.streams import ControllerStream

_LOG = logging.getLogger(__name__)


class Device:
    """One switch under its P4Runtime device id. All methods raise RequestError."""

    def __init__(self, device_id: int, switch: Switch, cpu_port: int) -> None:
        self.device_id = device_id
        self.switch = switch
        self.config = PipelineConfig(switch, cpu_port)
        self._arbitration = Arbitration[ControllerStream](device_id)

    def write(self, request: p4r.WriteRequest) -> list[RequestError | None]:
        """Attempts every update in order; for each one, its error if it failed (section 12)."""
        self._check_device(request.device_id)
        self._check_primary(request)
        pipeline = self.config.pipeline()
        if request.atomicity != p4r.WriteRequest.CONTINUE_ON_ERROR:
            mode = p4r.WriteRequest.Atomicity.Name(request.atomicity)
            raise RequestError(
                Code.UNIMPLEMENTED, f"{mode} is not supported; valid: CONTINUE_ON_ERROR"
            )
        errors: list[RequestError | None] = []
        for update in request.updates:
            try:
                write.update(pipeline, update)
                self.config.written(update)
                errors.append(None)
            except RequestError as error:
                errors.append(error)
        return errors

    def read(
        self, request: p4r.ReadRequest
    ) -> tuple[Iterator[p4r.Entity], list[RequestError | None]]:
        """What was found, and for each request of the batch its error if it failed (section 13)."""
        self._check_device(request.device_id)
        _check_role(request.role)
        return read.entities(self.config.pipeline(), request.entities)

    def set_config(self, request: p4r.SetForwardingPipelineConfigRequest) -> None:
        """Does what the request's action says (section 14)."""
        self._check_device(request.device_id)
        self._check_primary(request)
        self.config.set(request)

    def get_config(
        self, request: p4r.GetForwardingPipelineConfigRequest
    ) -> p4r.GetForwardingPipelineConfigResponse:
        """The config, in the parts asked for (section 15)."""
        self._check_device(request.device_id)
        return self.config.get(request.response_type)

    def check_capabilities(self, request: p4r.CapabilitiesRequest) -> None:
        """Capabilities are asked of this device or of the server as a whole (section 17)."""
        if request.device_id:
            self._check_device(request.device_id)

    def receive(self, stream: ControllerStream, request: p4r.StreamMessageRequest) -> None:
        """Takes a message of a controller's stream; an error raised must end the stream."""
        if request.WhichOneof("update") == "arbitration":
            self._arbitration.update(stream, request.arbitration)
            return
        try:
            self._receive_unless_arbitration(stream, request)
        except RequestError as error:
            stream.report(error, request)

    def leave(self, stream: ControllerStream) -> None:
        """Forgets a controller whose stream has ended."""
        self._arbitration.leave(stream)
        if stream.lost_packets:
            _LOG.warning("a controller did not read: %d packets lost", stream.lost_packets)

    def deliver(self, frames: Iterable[bytes]) -> None:
        """Sends frames from the CPU port to the primary; without one they are lost."""
        primary, pipeline = self._arbitration.primary, self.config.running
        if primary is None or pipeline is None:
            return
        for received in frames:
            try:
                primary.packet_in(packet_io.packet_in(pipeline.program.packet_in, received))
            except RequestError as error:
                _LOG.warning("%s", error.message)

    def _receive_unless_arbitration(
        self, stream: ControllerStream, request: p4r.StreamMessageRequest
    ) -> None:
        match request.WhichOneof("update"):
            case "packet":
                self._packet_out(stream, request.packet)
            case None:
                raise RequestError(Code.INVALID_ARGUMENT, "the stream message is empty")
            case other:
                raise RequestError(Code.UNIMPLEMENTED, f"{other} is not supported")

    def _packet_out(self, stream: ControllerStream, packet: p4r.PacketOut) -> None:
        if stream is not self._arbitration.primary:
            raise RequestError(Code.PERMISSION_DENIED, "only the primary may send packets")
        pipeline = self.config.running
        if pipeline is None:
            raise RequestError(
                Code.FAILED_PRECONDITION, "no forwarding pipeline config has been committed yet"
            )
        frame = packet_io.frame(pipeline.program.packet_out, packet)
        with engine_errors():
            self.switch.packet_out(frame)

    def _check_device(self, device_id: int) -> None:
        if device_id != self.device_id:
            raise RequestError(
                Code.NOT_FOUND, f"no device has id {device_id}; valid: {self.device_id}"
            )

    def _check_primary(
        self, request: p4r.WriteRequest | p4r.SetForwardingPipelineConfigRequest
    ) -> None:
        _check_role(request.role)
        bid = request.election_id if request.HasField("election_id") else None
        if not self._arbitration.is_primary(bid):
            raise RequestError(
                Code.PERMISSION_DENIED, "only the primary, by its election id, may write"
            )


def _check_role(role: str) -> None:
    if role:
        raise RequestError(
            Code.NOT_FOUND, f"role {role} is not known; only the default role (unset) is served"
        )

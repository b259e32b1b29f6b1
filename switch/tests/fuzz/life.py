"""A device among controllers that say anything."""

import random
from pathlib import Path

import grpc
from finsy.proto import p4i, p4r, stratum
from google.protobuf.message import Message
from p4abs_switch import PortConfig, Switch
from p4abs_switch._engine import ControllerStream, Device, RequestRefused

from ..controller import DEVICE_ID, REFUSALS, pipeline_config
from ..model import errors_of
from ..refusals import RequestError, refusals
from .messages import Messages

_CPU_PORT = 510
_PORTS = (1, 2, 3)
_STEP_NS = 1_000_000
_STREAMS = 4
_HIGHEST_BID = 9
_CONFIG = p4r.SetForwardingPipelineConfigRequest

# A batch is aborted as a whole.
_REFUSALS = {*REFUSALS, grpc.StatusCode.ABORTED}


class Life:
    """A device, its controllers, and random steps of theirs. Belongs in an event loop.

    done, refused: how many requests were.
    """

    def __init__(self, seed: int, programs: list[Path]) -> None:
        self._source = random.Random(seed)
        self._configs = [pipeline_config(program) for program in programs]
        self._switch = _switch()
        self._device = Device(DEVICE_ID, self._switch)
        self._streams: list[ControllerStream] = []
        self.done = self.refused = 0
        self._adopt(self._configs[0].p4info)
        self._device.commit(self._configs[0].SerializeToString())
        self._bid()

    def step(self) -> None:
        """Something random; an answer that is no answer is an AssertionError or another."""
        steps = {
            self._write: 50,
            self._read: 20,
            self._packets: 10,
            self._say: 10,
            self._bid: 3,
            self._leave: 1,
            self._set_config: 2,
            self._get_config: 1,
        }
        [step] = self._source.choices([*steps], weights=[*steps.values()])
        try:
            with refusals():
                step()
            self.done += 1
        except RequestError as error:
            self.refused += 1
            _check(error, step.__name__)

    def _adopt(self, p4info: p4i.P4Info) -> None:
        self._messages = Messages(self._source, p4info)

    def _request(self, request: p4r.WriteRequest | _CONFIG) -> None:
        """Who sends it: mostly the primary."""
        request.device_id, request.election_id.low = DEVICE_ID, _HIGHEST_BID
        if self._source.random() < 0.03:
            self._messages.damage(request)

    def _write(self) -> None:
        request = p4r.WriteRequest(atomicity=self._source.choice((0, 0, 1, 2)))
        for _ in range(self._source.randint(1, 3)):
            kind = self._source.choice((1, 1, 1, 2, 3, 0))
            request.updates.add(type=kind, entity=self._messages.entity())
        self._request(request)
        failed = self._device.write(request.SerializeToString())
        self._check_all(failed, len(request.updates))

    def _read(self) -> None:
        entities = [self._messages.entity() for _ in range(self._source.randint(1, 3))]
        if self._source.random() < 0.3:
            entities = [_wildcard(self._source)]
        request = p4r.ReadRequest(device_id=DEVICE_ID, entities=entities)
        if self._source.random() < 0.05:
            self._messages.damage(request)
        messages, failed = self._device.read(request.SerializeToString())
        assert all(messages)
        self._check_all(failed, len(request.entities))

    def _check_all(self, failed: tuple[str, bytes] | None, count: int) -> None:
        errors = errors_of(failed) if failed else [None] * count
        for error in errors:
            if error is not None:
                _check(error, "an element of a batch")
        self.refused += sum(error is not None for error in errors)
        self.done += sum(error is None for error in errors)

    def _packets(self) -> None:
        switch = self._switch
        now_ns = switch.now_us() * 1_000 + 1_000
        for _ in range(5):
            frame = bytes([0, 0, 0, 0, 0, self._source.randrange(8)])
            frame += self._source.randbytes(self._source.randrange(80))
            switch.inject(self._source.choice((*_PORTS, _CPU_PORT)), frame, now_ns)
        switch.run_until(now_ns + _STEP_NS)
        if self._source.random() < 0.2:
            switch.set_port_up(self._source.choice(_PORTS), self._source.random() < 0.5)
        self._device.deliver_packets(switch.packet_in())
        self._device.deliver_digests(switch.digests())
        self._device.report_idle()

    def _say(self) -> None:
        """Anything on a stream but a bid."""
        if not self._streams:
            return
        request = p4r.StreamMessageRequest()
        if self._source.random() < 0.7:
            request.packet.payload = self._source.randbytes(self._source.randrange(100))
            for number in range(1, self._source.randrange(5)):
                request.packet.metadata.add(metadata_id=number, value=self._messages.bytes())
        else:
            self._messages.fill(request)
            request.ClearField("arbitration")
        self._receive(self._source.choice(self._streams), request)

    def _bid(self) -> None:
        """The first controller bids highest, the others anything."""
        if len(self._streams) < _STREAMS:
            self._streams.append(self._device.enter())
        stream = self._source.choice(self._streams)
        bid = p4r.MasterArbitrationUpdate(device_id=DEVICE_ID)
        is_first = stream is self._streams[0]
        bid.election_id.low = _HIGHEST_BID if is_first else self._source.randrange(_HIGHEST_BID + 1)
        if not is_first and self._source.random() < 0.3:
            bid.role.name = self._source.choice(("a", "b"))
            config = stratum.P4RoleConfig()
            self._messages.fill(config)
            bid.role.config.Pack(config)
        if not is_first and self._source.random() < 0.2:
            self._messages.damage(bid)
        self._receive(stream, p4r.StreamMessageRequest(arbitration=bid))

    def _receive(self, stream: ControllerStream, request: p4r.StreamMessageRequest) -> None:
        try:
            stream.receive(request.SerializeToString())
        except RequestRefused:
            self._end(stream)
            raise
        for message in stream.take():
            assert p4r.StreamMessageResponse.FromString(message).WhichOneof("update")

    def _leave(self) -> None:
        if len(self._streams) > 1:
            self._end(self._source.choice(self._streams[1:]))

    def _end(self, stream: ControllerStream) -> None:
        self._streams.remove(stream)
        stream.leave()

    def _set_config(self) -> None:
        config = self._source.choice(self._configs)
        request = _CONFIG(action=self._source.choice((1, 2, 3, 4, 5, 5, 77)))
        if self._source.random() < 0.9:
            request.config.CopyFrom(config)
        if self._source.random() < 0.3:
            self._messages.damage(request.config.p4info)
        self._request(request)
        self._device.set_config(request.SerializeToString())
        self._adopt(config.p4info)

    def _get_config(self) -> None:
        request = p4r.GetForwardingPipelineConfigRequest(device_id=DEVICE_ID)
        request.response_type = self._source.randrange(6)
        answer = self._device.get_config(request.SerializeToString())
        assert p4r.GetForwardingPipelineConfigResponse.FromString(answer).IsInitialized()


def _switch() -> Switch:
    return Switch([PortConfig(port) for port in _PORTS], _CPU_PORT)


def _wildcard(source: random.Random) -> p4r.Entity:
    """All of a kind."""
    entity = p4r.Entity()
    part: Message = getattr(entity, source.choice(p4r.Entity.DESCRIPTOR.fields).name)
    part.SetInParent()
    return entity


def _check(error: RequestError, what: str) -> None:
    assert error.code in _REFUSALS, (what, error.code, error.message)
    assert error.message, what
    assert len(error.message.splitlines()) == 1, (what, error.message)

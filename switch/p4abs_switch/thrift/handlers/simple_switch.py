"""What simple_switch has besides BMv2's other targets: mirroring, queues and time."""

import logging
import time
from collections.abc import Callable

from p4abs_switch.runtime.replication import Mirror, Replication
from p4abs_switch.thrift.handlers.handler import OfTarget
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, I64
from p4abs_switch.thrift.refusals import Codes, MirroringCode, refusals
from p4abs_switch.thrift.structures import MirroringSession

_LOG = logging.getLogger(__name__)
_DONE, _FAILED = 0, 1  # of calls that declare no exception
_NOBODY = -1
_CODES = Codes(other=MirroringCode.SESSION_NOT_FOUND)
_NS_PER_US = 1_000


class SimpleSwitchCalls(OfTarget):
    """The calls of the service `simple_switch`."""

    takes_context = False
    codes = _CODES

    def mirroring_mapping_add(self, session: I32, egress_port: I32) -> I32:
        return _outcome(lambda: self._replication.mirror(session, Mirror(port=egress_port)))

    def mirroring_mapping_delete(self, session: I32) -> I32:
        return _outcome(lambda: self._replication.delete_session(session))

    def mirroring_mapping_get_egress_port(self, session: I32) -> I32:
        try:
            with refusals(_CODES):
                port = self._replication.mirror_of(session).port
        except Refusal:
            return _NOBODY
        return _NOBODY if port is None else port

    def mirroring_session_add(self, session: I32, config: MirroringSession) -> None:
        self._replication.mirror(session, Mirror(config.port, config.mgid))

    def mirroring_session_delete(self, session: I32) -> None:
        self._replication.delete_session(session)

    def mirroring_session_get(self, session: I32) -> MirroringSession:
        mirror = self._replication.mirror_of(session)
        return MirroringSession(mirror.port, mirror.group)

    def set_egress_priority_queue_depth(self, port: I32, priority: I32, packets: I32) -> I32:
        return _outcome(lambda: self.target.engine.set_queue_depth(packets, port, priority))

    def set_egress_queue_depth(self, port: I32, packets: I32) -> I32:
        return _outcome(lambda: self.target.engine.set_queue_depth(packets, port))

    def set_all_egress_queue_depths(self, packets: I32) -> I32:
        return _outcome(lambda: self.target.engine.set_queue_depth(packets))

    def set_egress_priority_queue_rate(self, port: I32, priority: I32, rate_pps: I64) -> I32:
        return _outcome(lambda: self.target.engine.set_queue_rate(rate_pps, port, priority))

    def set_egress_queue_rate(self, port: I32, rate_pps: I64) -> I32:
        return _outcome(lambda: self.target.engine.set_queue_rate(rate_pps, port))

    def set_all_egress_queue_rates(self, rate_pps: I64) -> I32:
        return _outcome(lambda: self.target.engine.set_queue_rate(rate_pps))

    def get_time_elapsed_us(self) -> I64:
        return self.target.engine.now_us()

    def get_time_since_epoch_us(self) -> I64:
        return time.time_ns() // _NS_PER_US

    @property
    def _replication(self) -> Replication:
        return self._loaded.replication


def _outcome(change: Callable[[], None]) -> int:
    """0, or 1 if it cannot be done; then the log says why."""
    try:
        with refusals(_CODES):
            change()
    except Refusal as refusal:
        _LOG.warning("%s", refusal)
        return _FAILED
    return _DONE

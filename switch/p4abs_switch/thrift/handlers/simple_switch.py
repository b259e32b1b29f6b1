"""What simple_switch has besides BMv2's other targets: mirroring, queues and time."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager

from p4abs_switch.runtime.replication import Mirror, Replication
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I32, I64
from p4abs_switch.thrift.refusals import MirroringCode, refusals
from p4abs_switch.thrift.structures import MirroringSession
from p4abs_switch.thrift.target import Target

_LOG = logging.getLogger(__name__)
_DONE, _FAILED = 0, 1  # of calls that declare no exception
_NOBODY = -1
_NS_PER_US = 1_000


class SimpleSwitchCalls:
    """The calls of the service `simple_switch`."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def mirroring_mapping_add(self, mirror_id: I32, egress_port: I32) -> I32:
        return _outcome(lambda: self._replication.mirror(mirror_id, Mirror(port=egress_port)))

    def mirroring_mapping_delete(self, mirror_id: I32) -> I32:
        return _outcome(lambda: self._replication.delete_session(mirror_id))

    def mirroring_mapping_get_egress_port(self, mirror_id: I32) -> I32:
        try:
            with _refusals():
                port = self._replication.mirror_of(mirror_id).port
        except Refusal:
            return _NOBODY
        return _NOBODY if port is None else port

    def mirroring_session_add(self, mirror_id: I32, config: MirroringSession) -> None:
        with _refusals():
            self._replication.mirror(mirror_id, Mirror(config.port, config.mgid))

    def mirroring_session_delete(self, mirror_id: I32) -> None:
        with _refusals():
            self._replication.delete_session(mirror_id)

    def mirroring_session_get(self, mirror_id: I32) -> MirroringSession:
        with _refusals():
            mirror = self._replication.mirror_of(mirror_id)
        return MirroringSession(mirror.port, mirror.group)

    def set_egress_priority_queue_depth(self, port_num: I32, priority: I32, depth_pkts: I32) -> I32:
        set_depth = self._target.engine.set_queue_depth
        return _outcome(lambda: set_depth(depth_pkts, port_num, priority))

    def set_egress_queue_depth(self, port_num: I32, depth_pkts: I32) -> I32:
        return _outcome(lambda: self._target.engine.set_queue_depth(depth_pkts, port_num))

    def set_all_egress_queue_depths(self, depth_pkts: I32) -> I32:
        return _outcome(lambda: self._target.engine.set_queue_depth(depth_pkts))

    def set_egress_priority_queue_rate(self, port_num: I32, priority: I32, rate_pps: I64) -> I32:
        set_rate = self._target.engine.set_queue_rate
        return _outcome(lambda: set_rate(rate_pps, port_num, priority))

    def set_egress_queue_rate(self, port_num: I32, rate_pps: I64) -> I32:
        return _outcome(lambda: self._target.engine.set_queue_rate(rate_pps, port_num))

    def set_all_egress_queue_rates(self, rate_pps: I64) -> I32:
        return _outcome(lambda: self._target.engine.set_queue_rate(rate_pps))

    def get_time_elapsed_us(self) -> I64:
        return self._target.engine.now_us()

    def get_time_since_epoch_us(self) -> I64:
        return time.time_ns() // _NS_PER_US

    @property
    def _replication(self) -> Replication:
        return self._target.loaded.replication


def _refusals() -> AbstractContextManager[None]:
    return refusals(MirroringCode.SESSION_NOT_FOUND)


def _outcome(change: Callable[[], None]) -> int:
    """0, or 1 if it cannot be done; then the log says why."""
    try:
        with _refusals():
            change()
    except Refusal as refusal:
        _LOG.warning("%s", refusal)
        return _FAILED
    return _DONE

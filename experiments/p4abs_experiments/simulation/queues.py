"""One of several queues of a link under control."""

from typing import Any

from p4abs.control.port_control import PortControl
from p4abs.measurements import Snapshot
from p4abs.policies import Policy

from p4abs_experiments.network.links import Link, Sizing
from p4abs_experiments.network.policies import policy_of


class QueueSizing:
    """Makes a queue's policy for the rate that its link leaves to it, once that is measured."""

    def __init__(self, sizing: Sizing) -> None:
        self._sizing = sizing

    def make_policy(self, capacity_bps: int) -> Policy[Any]:
        return policy_of(self._sizing, capacity_bps)

    def first_limit(self, limit_bytes: int, capacity_bps: int) -> int:
        return limit_bytes


class QueueControl(PortControl):
    """A port's control, with idle time by the rate of the link, whatever the queue gets of it."""

    def __init__(self, link: Link, sizing: Sizing, longest_interval_s: float) -> None:
        super().__init__(
            0,
            link.told_capacity_bps,
            None,
            sizing.initial_limit_bytes,
            longest_interval_s,
            QueueSizing(sizing),
        )
        self._link_bps = link.told_capacity_bps

    def _idle_s(self, previous: Snapshot, snapshot: Snapshot) -> float | None:
        self._meter.add(previous, snapshot)
        return self._idle_time.between(previous, snapshot, self._link_bps)

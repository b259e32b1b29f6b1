"""The limits that a port begins at, stays within and is left with."""

from dataclasses import dataclass
from typing import Any

from p4abs.config import PortSettings
from p4abs.policies import Policy

# One long round trip: the rule of thumb for a buffer that is not adapted (RFC 3439, section 4). At
# most the packet memory of a large chip, which is 5 ms at 100 Gbit/s.
UNATTENDED_DRAIN_TIME_S = 0.25
UNATTENDED_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True)
class PortLimits:
    """A `Sizing` by a port's settings; all limits are in bytes."""

    port: PortSettings

    def make_policy(self, capacity_bps: int) -> Policy[Any]:
        """See `Sizing`. Raises PolicyError."""
        return self.port.make_policy(capacity_bps)

    def first_limit(self, limit_bytes: int, capacity_bps: int | None) -> int:
        """The limit to start from, where `limit_bytes` is in force: initial-limit, else what the
        switch has, else one long round trip's worth; within the bounds. 0: none, without a known
        capacity. With max-step, what the switch has may be outside of the bounds."""
        port = self.port
        if limit_bytes and port.initial_limit is None:
            return self.brought_within(limit_bytes, capacity_bps)
        wanted = port.initial_limit
        if wanted is None and capacity_bps is not None:
            wanted = _unattended_bytes(capacity_bps)
        return self.bounded(wanted or port.max_limit or 0, capacity_bps)

    def limit_to_leave(self, last_limit: int, capacity_bps: int | None) -> int:
        """The limit to leave behind: safe-limit, else the larger of the last limit and one long
        round trip's worth; within the bounds. A static one stays. 0: none, without a known
        capacity."""
        if self.port.safe_limit is not None:
            return self.port.safe_limit
        if capacity_bps is None or self.port.lends_nothing:
            return last_limit
        return self.bounded(max(last_limit, _unattended_bytes(capacity_bps)), capacity_bps)

    def bounded(self, limit: int, capacity_bps: int | None) -> int:
        """The limit, brought within the bounds; 0, none, stays."""
        highest = self.port.largest_limit(capacity_bps)
        if limit == 0:
            return 0
        return max(self.port.min_limit, limit if highest is None else min(limit, highest))

    def brought_within(self, limit: int, capacity_bps: int | None) -> int:
        """As bounded(); with max-step the limit stays, and the policy steps towards the bounds."""
        return limit if self.port.max_step is not None else self.bounded(limit, capacity_bps)


def _unattended_bytes(capacity_bps: int) -> int:
    return min(UNATTENDED_BYTES, int(capacity_bps * UNATTENDED_DRAIN_TIME_S / 8))

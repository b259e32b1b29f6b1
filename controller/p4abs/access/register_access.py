"""The common interface of both register paths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from p4abs.errors import P4absError
from p4abs.measurements import Snapshot
from p4abs.p4_constants import DRAIN_RATE_SHIFT

_DRAIN_RATE_PERIOD_S = (1 << DRAIN_RATE_SHIFT) / 1e6


class ExchangeTimeout(P4absError):
    """The switch did not answer an exchange in time. The next one may succeed."""


@dataclass(frozen=True, slots=True)
class Snapshots:
    """What an exchange has brought: for each of its ports a snapshot, or why there is none.

    That is an ExchangeTimeout where the switch was silent, else a PortRefused (rpc_error.py).
    """

    taken: Mapping[int, Snapshot] = field(default_factory=dict)
    failures: dict[int, P4absError] = field(default_factory=dict)

    def of(self, port: int) -> Snapshot:
        """The port's snapshot. Raises the port's failure."""
        if port in self.failures:
            raise self.failures[port]
        return self.taken[port]


class RegisterAccess(Protocol):
    """Access to the ABS registers of a switch.

    All methods raise RpcError when the switch refuses or is gone; configure() may raise
    ExchangeTimeout when it stays silent.
    """

    @property
    def path(self) -> str:
        """The register path's name, for people."""

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """Writes the queue limits in bytes, by port, and returns the registers of all `ports`.

        Each snapshot is of one instant, as far as the path can promise that. A failure of one port,
        also a missing answer, affects only that port. `limits` are of some of the `ports`.
        """

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        """Writes the ports' settings that do not change with each interval, in one exchange: the
        rate at which a port's queue drains, in bit/s, whether to mark instead of drop, and the
        longest frame, in bytes without FCS.

        A program ignores settings that it cannot use. Returns the failures by port, as in
        Snapshots; each affects only its port.
        """


def drain_rate(rate_bps: int) -> int:
    """The register's form of a rate: bytes per 2^DRAIN_RATE_SHIFT us, at least 1."""
    return max(1, round(rate_bps / 8 * _DRAIN_RATE_PERIOD_S))

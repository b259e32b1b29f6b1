"""The one interface behind which both register paths stand."""

from typing import Protocol

from p4abs.errors import P4absError
from p4abs.p4_constants import DRAIN_RATE_SHIFT
from p4abs.snapshot import Snapshot

_DRAIN_RATE_PERIOD_S = (1 << DRAIN_RATE_SHIFT) / 1e6


class ExchangeTimeout(P4absError):
    """The switch did not answer an exchange in time. The next one may succeed."""


class RegisterAccess(Protocol):
    """Access to the ABS registers of a switch, port by port.

    All methods raise RpcError when the switch refuses or is gone, and ExchangeTimeout when it
    stays silent.
    """

    @property
    def path(self) -> str:
        """The register path's name, for people."""

    async def exchange(self, port: int, limit_bytes: int | None) -> Snapshot:
        """Writes the queue limit unless it is None, then returns the port's registers."""

    async def set_drain_rate(self, port: int, rate_bps: int) -> None:
        """Tells the data plane at which rate, in bit/s, the port's queue empties."""

    async def set_ecn_marking(self, port: int, on: bool) -> None:
        """Whether to mark instead of drop, with a program that can; others ignore it."""


def drain_rate(rate_bps: int) -> int:
    """The register's form of a rate: bytes per 2^DRAIN_RATE_SHIFT us, at least 1."""
    return max(1, round(rate_bps / 8 * _DRAIN_RATE_PERIOD_S))

"""The paper's traffic mixes at their loads (section 3.2), for the scaled link.

Web-like traffic is a fixed population of users, who fetch a file and then pause, as the paper's
generator has it. Its files and pauses are not printed; the population follows from Table 3, whose
FPQ column is six packets times 461, 690, 761 and 826 users: 197 kb/s each at all four loads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from p4abs_experiments.network import CbrFlows, TcpFlows, Traffic, WebUsers
from p4abs_experiments.papers.sla_perspective import published
from p4abs_experiments.papers.sla_perspective.scale import CAPACITY_BPS, SCALE

Tcp = TypeVar("Tcp", TcpFlows, WebUsers)

LONG = "long flows"
WEB = "web"
WEB_AND_SLOW_UDP = "web, 64 kb/s UDP"
WEB_AND_FAST_UDP = "web, 1 Mb/s UDP"
WEB_AND_LITTLE_UDP = "web, 10 % UDP"

_PATH = ("bottleneck",)
_CONGESTION_CONTROL = "newreno"
"""Of FreeBSD 5.4. ns-3's obeys the square-root law of loss; its Linux Reno sends more than that."""
_WINDOW_BYTES = 64 * 1024
_INITIAL_WINDOW_SEGMENTS = 3
"""Of 1460-byte segments, by the standard of the paper's time (RFC 3390)."""

_FRAME_BYTES = {1448: 1514, 512: 578}
"""By maximum segment size: with TCP time stamps, IP and Ethernet headers."""
_SHARE_OF_LARGE = 0.9

_USER_BPS = 197_000
"""What one web user asks of an empty network."""
_FILE_BYTES = 29_000.0
"""Mean of the Pareto file sizes, calibrated to that rate with pauses of 1 s."""
_PARETO_SHAPE = 1.5
"""Heavy-tailed, but a run's offered load comes within 5 % of the mean; with the usual 1.2 runs of
minutes differ by 30 %."""

_UDP_BPS = {WEB_AND_SLOW_UDP: 64_000, WEB_AND_FAST_UDP: 1_000_000, WEB_AND_LITTLE_UDP: 64_000}
_UDP_PACKET_BYTES = 1000
"""Not printed by the paper."""


@dataclass(frozen=True, slots=True)
class Load:
    """One mix at one load: `mix` and `name` label it, `level` is the paper's number (flows,
    or percent of the capacity), `n_flows` the TCP flows or users of the scaled network."""

    mix: str
    level: int
    n_flows: int
    traffic: tuple[Traffic, ...]

    @property
    def name(self) -> str:
        return f"{self.level} flows" if self.mix == LONG else f"{self.level} %"


def long_flows(level: int) -> Load:
    """`level` long TCP flows of the paper's testbed."""
    count = round(level / SCALE)
    return Load(LONG, level, count, _of_both_segments(TcpFlows, count))


def web(level: int) -> Load:
    """Web users who offer `level` percent of the capacity."""
    users = _web_users(level)
    return Load(WEB, level, sum(entry.count for entry in users), users)


def web_and_udp(mix: str, level: int) -> Load:
    """Web users and UDP sources who together offer `level` percent of the capacity: the users
    half of the capacity, in `WEB_AND_LITTLE_UDP` nine tenths of the load. Raises KeyError."""
    web_level = 0.9 * level if mix == WEB_AND_LITTLE_UDP else 50
    users = _web_users(web_level)
    udp = CbrFlows(
        name="UDP",
        count=max(1, round((level - web_level) / 100 * CAPACITY_BPS / _UDP_BPS[mix])),
        path=_PATH,
        rate_bps=_UDP_BPS[mix],
        packet_bytes=_UDP_PACKET_BYTES,
        delay_s=(published.RTT_S[0] / 2, published.RTT_S[1] / 2),
        start_s=(0.0, 2.0),
    )
    return Load(mix, level, sum(entry.count for entry in users), (*users, udp))


def _web_users(level: float) -> tuple[WebUsers, ...]:
    return _of_both_segments(
        WebUsers,
        round(level / 100 * CAPACITY_BPS / _USER_BPS),
        pages=(1_000_000, 1_000_000),
        objects=(1, 1),
        page_gap_s=1.0,
        object_bytes=_FILE_BYTES,
        pareto_shape=_PARETO_SHAPE,
    )


def _of_both_segments(kind: Callable[..., Tcp], count: int, **settings: Any) -> tuple[Tcp, ...]:
    """Flows or users of the large segments, and of the small ones where there are any."""
    small = round(count * (1 - _SHARE_OF_LARGE))
    return tuple(
        kind(
            name=f"MSS {segment}",
            count=number,
            path=_PATH,
            rtt_s=published.RTT_S,
            congestion_control=_CONGESTION_CONTROL,
            packet_bytes=_FRAME_BYTES[segment],
            window_bytes=_WINDOW_BYTES,
            initial_window_segments=_INITIAL_WINDOW_SEGMENTS,
            start_s=(0.0, 2.0),
            **settings,
        )
        for segment, number in ((1448, count - small), (512, small))
        if number
    )

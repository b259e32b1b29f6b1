"""Ports that the switch does not have, whose links are down, or whose packets the program does not
count."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import NoReturn

from p4abs.access.capabilities import SwitchPort
from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock
from p4abs.config import PortSettings
from p4abs.queues import format_ports
from p4abs.session.attempts import first_of
from p4abs.targets import TargetProgram

# The switch is asked this often.
LOOK_S = 10.0
# Fewer packets in this time may be a controller's, which the program need not count.
ENOUGH_PACKETS = 100

WHY_UNCOUNTED = (
    "see that its ingress reaches AdaptiveIngress for these packets; exit and return leave "
    "ingress before it"
)
UNCOUNTED = f"the switch sends packets there, but its program counts none of them: {WHY_UNCOUNTED}"


def absence(ports: Collection[int]) -> str:
    """What there is to say of a port that is not among the switch's."""
    return f"not on this switch ({format_ports(sorted(ports))})"


class PortWatch:
    """Says once of each port that the switch does not have it, that its link is down, and when this
    is over; and once that the program counts none of its packets.

    A switch that does not tell of its ports is not asked again, until soon().
    """

    def __init__(self, clock: Clock, say: Callable[[str], None], trouble: Callable[[str], None]):
        self._clock = clock
        self._say = say
        self._trouble = trouble
        self._soon = asyncio.Event()
        self._absent: frozenset[int] = frozenset()
        self._down: frozenset[int] = frozenset()
        self._said_uncounted: set[int] = set()
        self._before: Mapping[int, SwitchPort] = {}

    def soon(self) -> None:
        """The ports under control are others."""
        self._soon.set()

    async def run(
        self,
        ask: Callable[[], Awaitable[TargetProgram]],
        controlled: Callable[[], Iterable[PortSettings]],
        uncounted: Callable[[], Collection[int]],
    ) -> NoReturn:
        """Looks at the switch's ports until cancelled. `ask` brings the program with them,
        `controlled` all ports under control, `uncounted` the numbers of those of which the program
        has counted no packet.
        """
        self._before = {}
        while True:
            self._soon.clear()
            try:
                ports = (await ask()).capabilities().ports
            except RpcError:
                pass  # control has noticed it, too
            else:
                if not ports:
                    await self._soon.wait()
                    continue
                numbers = frozenset(port.number for port in controlled())
                self._look_for_absent(ports, numbers)
                self._look_for_down(ports, numbers)
                self._look_for_uncounted(ports, uncounted())
            again_s = self._clock.now_s() + LOOK_S
            await first_of(self._soon.wait(), self._clock.sleep_until(again_s))

    def _look_for_absent(self, ports: Mapping[int, SwitchPort], controlled: frozenset[int]) -> None:
        absent = controlled - ports.keys()
        if news := sorted(absent - self._absent):
            they = "it" if len(news) == 1 else "them"
            self._trouble(
                f"{format_ports(news)}: {absence(ports)}; nothing is sent there until you add "
                f"{they}, or correct the configuration"
            )
        if come := sorted((self._absent - absent) & ports.keys()):
            self._say(f"{format_ports(come)}: now on the switch")
        self._absent = absent

    def _look_for_down(self, ports: Mapping[int, SwitchPort], controlled: frozenset[int]) -> None:
        there = controlled & ports.keys()
        down = frozenset(port for port in there if not ports[port].is_up)
        if news := sorted(down - self._down):
            self._trouble(f"{format_ports(news)}: link down; what is sent there is lost")
        if up := sorted((self._down - down) & there):
            self._say(f"{format_ports(up)}: link up again")
        self._down = down

    def _look_for_uncounted(
        self, ports: Mapping[int, SwitchPort], uncounted: Collection[int]
    ) -> None:
        found = uncounted_ports(self._before, ports, uncounted, ENOUGH_PACKETS)
        news = sorted({*found} - self._said_uncounted)
        self._before = ports
        if news:
            self._said_uncounted.update(news)
            self._trouble(f"{format_ports(news)}: {UNCOUNTED}")


def uncounted_ports(
    before: Mapping[int, SwitchPort],
    after: Mapping[int, SwitchPort],
    uncounted: Collection[int],
    enough: int,
) -> list[int]:
    """The ports to which so many packets went between two answers of the switch, of those whose
    program has counted none."""
    return [
        port
        for port in uncounted
        if port in before
        and port in after
        and after[port].forwarded_packets - before[port].forwarded_packets >= enough
    ]

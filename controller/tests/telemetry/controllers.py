"""Controllers of switches, as far as views, metrics and the page look at them."""

from dataclasses import dataclass, field
from typing import NoReturn

from p4abs.config import SwitchSettings
from p4abs.control import LoopStatistics
from p4abs.control.stalls import Stalls
from p4abs.errors import UserError
from p4abs.session import SwitchState
from p4abs.session.ports.releases import Releases

from controller.tests.conftest import VirtualClock


@dataclass
class Loop:
    """A control loop, which has not turned yet."""

    statistics: LoopStatistics = field(default_factory=LoopStatistics)
    stalls: Stalls = field(default_factory=lambda: Stalls((), 0.02, print))


@dataclass
class Controller:
    """One in control, where nothing else is said."""

    settings: SwitchSettings
    state: SwitchState = SwitchState.CONTROLLING
    register_path: str | None = "mailbox"
    reconnections: int = 0
    loop: Loop | None = field(default_factory=Loop)
    releases: Releases = field(default_factory=lambda: Releases(_in_charge, VirtualClock(), print))


def _in_charge() -> NoReturn:
    raise UserError("nobody is in charge here")


def turned_loop() -> Loop:
    """A control loop that has kept three intervals."""
    statistics = LoopStatistics(ticks=3, missed_deadlines=1, lost_exchanges=2)
    for lateness_s, exchange_s in ((0.001, 0.0007), (0.002, 0.0008), (0.003, 0.0012)):
        statistics.lateness_s.append(lateness_s)
        statistics.exchange_s.append(exchange_s)
    return Loop(statistics)

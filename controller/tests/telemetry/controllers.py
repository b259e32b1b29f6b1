"""Controllers of switches, as far as views, metrics and the page look at them."""

from dataclasses import dataclass, field

from p4abs.config import SwitchSettings
from p4abs.control import LoopStatistics
from p4abs.session import SwitchState


@dataclass
class Loop:
    """A control loop, which has not turned yet."""

    statistics: LoopStatistics = field(default_factory=LoopStatistics)


@dataclass
class Controller:
    """One in control, where nothing else is said."""

    settings: SwitchSettings
    state: SwitchState = SwitchState.CONTROLLING
    register_path: str | None = "mailbox"
    reconnections: int = 0
    loop: Loop | None = field(default_factory=Loop)


def turned_loop() -> Loop:
    """A control loop that has kept three intervals."""
    statistics = LoopStatistics(ticks=3, missed_deadlines=1, lost_exchanges=2)
    for lateness_s, exchange_s in ((0.001, 0.0007), (0.002, 0.0008), (0.003, 0.0012)):
        statistics.lateness_s.append(lateness_s)
        statistics.exchange_s.append(exchange_s)
    return Loop(statistics)

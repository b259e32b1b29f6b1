"""The buffers and loads of the profiles, and the cells that all figures share."""

from collections.abc import Callable
from dataclasses import dataclass

from p4abs_experiments.experiment import Results
from p4abs_experiments.network import Link
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.sla_perspective import published, scale, testbed, traffic
from p4abs_experiments.papers.sla_perspective.traffic import Load
from p4abs_experiments.simulation.result import CellResult


@dataclass(frozen=True, slots=True)
class Setting:
    """A buffer of the paper: its label, the time in which it drains when full (RED: from its upper
    threshold), and the link that has it."""

    name: str
    buffer_s: float
    link: Link


DROP_TAIL = tuple(
    Setting(
        f"{packets} packet{'s' if packets > 1 else ''}",
        scale.seconds(scale.limit_bytes(packets)),
        testbed.fixed(packets),
    )
    for packets in published.DROP_TAIL_PACKETS
)
"""Table 1, OC3 with 50 ms; labelled with the paper's packets."""

RED = tuple(
    Setting(
        f"RED {name}", scale.seconds(scale.limit_bytes(thresholds.most)), testbed.red(thresholds)
    )
    for name, thresholds in published.RED.items()
)
"""Table 2, OC3."""

LONG_LOADS = tuple(traffic.long_flows(level) for level in published.LONG_FLOW_SIZES)
WEB_LOADS = tuple(traffic.web(level) for level in published.WEB_SIZES)
SLOW_UDP_LOADS = tuple(
    traffic.web_and_udp(traffic.WEB_AND_SLOW_UDP, level) for level in published.WEB_SIZES
)
FAST_UDP_LOADS = tuple(
    traffic.web_and_udp(traffic.WEB_AND_FAST_UDP, level) for level in published.WEB_SIZES
)
LITTLE_UDP_LOAD = traffic.web_and_udp(traffic.WEB_AND_LITTLE_UDP, 60)

_LONG_TIMES_S, _OTHER_TIMES_S = (20.0, 40.0), (20.0, 100.0)
"""To settle and to measure; the paper measures 120 s of long flows and 540 s of the others,
after 30 s."""


def times_s(load: Load) -> tuple[float, float]:
    """(to settle, to measure)."""
    return _LONG_TIMES_S if load.mix == traffic.LONG else _OTHER_TIMES_S


def cell(load: Load, setting: Setting) -> Cell:
    sizing = setting.link.sizing
    fixed = sizing is not None and sizing.policy == "static"
    return Cell(
        testbed.scenario(load, setting.link, *times_s(load)),
        policy=f"static {setting.name}" if fixed else setting.name,
    )


def mean(
    results: Results, load: Load, setting: Setting, value: Callable[[CellResult], float]
) -> float:
    """The mean of `value` over the random seeds. Raises KeyError for a pair that was not run."""
    return results.mean(cell(load, setting).scenario, value)

"""Figures 13 and 14: long flows beside short ones, which take a fifth of the link.

The paper has 400 Mb/s, 80 Mb/s of short flows and 1 to 500 long ones. Here rate and long flows are
a quarter (100 Mb/s, 20 Mb/s, up to 125): a flow's share of the link stays, and so does everything
in multiples of pipe/sqrt(n). Packets of 1500 bytes, round-trip times U[60, 140] ms (not printed),
short flows of 14 and of 62 packets. Windows are 20 s after 10 s of start.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.crossing import needed_in_words, smallest_buffer, with_optimum
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.network import Scenario, ShortFlows, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.dumbbell import INITIAL_WINDOW_SEGMENTS, LINK, Dumbbell, segment_bytes
from p4abs_experiments.simulation.result import CellResult

UTILIZATION = 0.95
_SHORT_SHARE = 0.2
_RTT_S = (0.06, 0.14)
_PACKET_BYTES = 1500


_LINK = Dumbbell(
    capacity_bps=100_000_000,
    rtt_s=_RTT_S,
    packet_bytes=_PACKET_BYTES,
    n_flows=(1, 5, 25, 50, 125),
    start_s=10,
    window_s=20,
)
_SHORT_PACKETS = (14, 62)
_MULTIPLES = (0.125, 0.25, 0.5, 1, 2)
_MIXES = [(n_flows, short) for short in _SHORT_PACKETS for n_flows in _LINK.n_flows]
"""Long flows, and the length of the short ones."""


def _scenario(name: str, n_flows: int, short_packets: int, sizing: Sizing) -> Scenario:
    short_flows = ShortFlows(
        path=(LINK,),
        flows_per_s=_SHORT_SHARE * _LINK.capacity_bps / 8 / (short_packets * _PACKET_BYTES),
        size_bytes=short_packets * segment_bytes(_PACKET_BYTES),
        rtt_s=_RTT_S,
        packet_bytes=_PACKET_BYTES,
        initial_window_segments=INITIAL_WINDOW_SEGMENTS,
        name="short",
    )
    return _LINK.scenario(
        f"{n_flows} long, short of {short_packets}, {name}",
        sizing,
        n_flows,
        _LINK.long_flows(n_flows, _LINK.start_s / 4, name="long"),
        short_flows,
    )


def _fixed(n_flows: int, short_packets: int, buffer_packets: float) -> Scenario:
    sizing = _LINK.fixed(buffer_packets)
    return _scenario(f"{buffer_packets:.0f} packets", n_flows, short_packets, sizing)


def _adaptive(n_flows: int, short_packets: int) -> Scenario:
    sizing = _LINK.adaptive("abs", _LINK.pipe_packets / 4, UTILIZATION)
    return _scenario("adaptive", n_flows, short_packets, sizing)


def _completion_of_short_s(result: CellResult) -> float:
    return result.of("short").completion_mean_s


def _limit_packets(result: CellResult) -> float:
    return result.link().mean_limit_bytes / _PACKET_BYTES


@dataclass(frozen=True)
class Mixes(Experiment):
    name: str = "seed001-figures13-14"
    title: str = "Long and short flows: buffer for 95 % utilization, and what short flows gain"
    source: str = "Appenzeller, Keslassy, McKeown 2004, Figures 13, 14, section 5.1.3"
    claim: str = (
        "Long flows alone decide the buffer: about pipe/sqrt(n) gives 95 % utilization whatever "
        "the short flows' length, and short flows finish sooner with it than with a whole pipe."
    )

    def cells(self) -> Sequence[Cell]:
        return [cell for mix in _MIXES for cell in _cells_of(*mix)]

    def rows(self, results: Results) -> Sequence[Row]:
        """The static optimum of an `abs` row is read from the grid."""
        optima = {
            _adaptive(*mix).name: _needed_packets(results, *mix) * _PACKET_BYTES for mix in _MIXES
        }
        return [with_optimum(row, optima.get(row.scenario)) for row in super().rows(results)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {
            "figure13": _drawn(
                f"Buffer for {100 * UTILIZATION:g} % utilization with 20 % of short flows",
                "buffer (packets of 1500 B)",
                {
                    "stanford pipe/sqrt(n)": lambda n_flows, short: _LINK.rule_packets(n_flows),
                    "optimum (smallest fixed)": partial(_needed_packets, results),
                    "abs": lambda *mix: results.mean(_adaptive(*mix), _limit_packets),
                },
                is_logarithmic=True,
            ),
            "figure14": _drawn(
                "Mean completion time of the short flows",
                "mean completion time (s)",
                {
                    "B = pipe": partial(_completion_s, results, _LINK.pipe_packets),
                    "B = pipe/sqrt(n)": lambda n_flows, short: _completion_s(
                        results, _LINK.rule_packets(n_flows), n_flows, short
                    ),
                    "abs": lambda *mix: results.mean(_adaptive(*mix), _completion_of_short_s),
                },
                is_logarithmic=False,
            ),
        }

    def findings(self, results: Results) -> Sequence[str]:
        return [_finding(results, *mix) for mix in _MIXES]


def _cells_of(n_flows: int, short_packets: int) -> list[Cell]:
    rule = _LINK.rule_packets(n_flows)
    buffers = {multiple * rule: "static" for multiple in _MULTIPLES}
    buffers |= {rule: "stanford", _LINK.pipe_packets: "bdp"}
    fixed = [
        Cell(_fixed(n_flows, short_packets, buffer_packets), policy=policy)
        for buffer_packets, policy in buffers.items()
    ]
    return [*fixed, Cell(_adaptive(n_flows, short_packets))]


def _needed_packets(results: Results, n_flows: int, short_packets: int) -> float:
    buffers = [multiple * _LINK.rule_packets(n_flows) for multiple in _MULTIPLES]
    used = [results.utilization(_fixed(n_flows, short_packets, buffer)) for buffer in buffers]
    return smallest_buffer(buffers, used, UTILIZATION)


def _completion_s(
    results: Results, buffer_packets: float, n_flows: int, short_packets: int
) -> float:
    scenario = _fixed(n_flows, short_packets, buffer_packets)
    return results.mean(scenario, _completion_of_short_s)


def _finding(results: Results, n_flows: int, short_packets: int) -> str:
    rule = _LINK.rule_packets(n_flows)
    needed = _needed_packets(results, n_flows, short_packets)
    adaptive = _adaptive(n_flows, short_packets)
    held = results.mean(adaptive, _limit_packets)
    large_s = _completion_s(results, _LINK.pipe_packets, n_flows, short_packets)
    small_s = _completion_s(results, rule, n_flows, short_packets)
    return (
        f"{n_flows} long flow{'s' if n_flows > 1 else ''} with short ones of {short_packets} "
        "packets: 95 % utilization needs "
        f"{needed_in_words(needed / rule, '.2f', 'x pipe/sqrt(n)')}. "
        f"The mean limit of abs is {held / rule:.2f} x pipe/sqrt(n), and utilization "
        f"{results.utilization(adaptive):.2%}. Short flows take {large_s:.2f} s with a "
        f"pipe of buffer, {small_s:.2f} s with pipe/sqrt(n), "
        f"{results.mean(adaptive, _completion_of_short_s):.2f} s with abs."
    )


def _drawn(
    title: str,
    quantity: str,
    curves: Mapping[str, Callable[[int, int], float]],
    *,
    is_logarithmic: bool,
) -> Figure:
    """A panel for each length of the short flows, over the number of long ones."""
    figure, axes = figures.panels(1, len(_SHORT_PACKETS), title=title, panel_height_in=3.8)
    for panel, short in zip(axes, _SHORT_PACKETS, strict=True):
        if is_logarithmic:
            panel.sharey(axes[0])
        for name, value in curves.items():
            figures.curve(panel, _LINK.n_flows, [value(n, short) for n in _LINK.n_flows], name)
        figures.logarithmic(panel, y=is_logarithmic)
        figures.label(panel, "long flows", "", f"short flows of {short} packets")
        if not is_logarithmic:
            panel.set_ylim(bottom=0)
        figures.legend(panel)
    axes[0].set_ylabel(quantity)
    return figure

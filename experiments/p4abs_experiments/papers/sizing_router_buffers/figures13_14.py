"""Figures 13 and 14: long flows beside short ones, which take a fifth of the link.

The paper has 400 Mb/s, 80 Mb/s of short flows and 1 to 500 long ones. Here rate and long flows are
a quarter (100 Mb/s, 20 Mb/s, up to 125): a flow's share of the link stays, and so does everything
in multiples of pipe/sqrt(n). Packets of 1500 bytes, round-trip times U[60, 140] ms (not printed),
short flows of 14 and of 62 packets. Windows are 20 s after 10 s of start.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results, Size
from p4abs_experiments.experiment.crossing import needed_in_words, smallest_buffer, with_optimum
from p4abs_experiments.experiment.row import Row
from p4abs_experiments.network import Range, Scenario, ShortFlows, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.dumbbell import INITIAL_WINDOW_SEGMENTS, LINK, Dumbbell
from p4abs_experiments.papers.packet_sizing import adaptive, fixed, segment_bytes, square_root_rule
from p4abs_experiments.simulation.result import CellResult

UTILIZATION = 0.95
_SHORT_SHARE = 0.2
_RTT_S = (0.06, 0.14)
_PACKET_BYTES = 1500

PerLength = Mapping[int, Sequence[float]]
"""Length of the short flows in packets: a value per number of long flows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan(Dumbbell):
    rtt_s: Range = _RTT_S
    packet_bytes: int = _PACKET_BYTES
    short_packets: tuple[int, ...]
    multiples: tuple[float, ...]


_PLANS = {
    Size.QUICK: _Plan(
        capacity_bps=10_000_000,
        n_flows=(4,),
        short_packets=(14,),
        multiples=(0.5, 1),
        start_s=4,
        window_s=8,
    ),
    Size.FULL: _Plan(
        capacity_bps=100_000_000,
        n_flows=(1, 5, 25, 50, 125),
        short_packets=(14, 62),
        multiples=(0.125, 0.25, 0.5, 1, 2),
        start_s=10,
        window_s=20,
    ),
}


def _scenario(plan: _Plan, name: str, n_flows: int, short_packets: int, sizing: Sizing) -> Scenario:
    short_flows = ShortFlows(
        path=(LINK,),
        flows_per_s=_SHORT_SHARE * plan.capacity_bps / 8 / (short_packets * _PACKET_BYTES),
        size_bytes=short_packets * segment_bytes(_PACKET_BYTES),
        rtt_s=_RTT_S,
        packet_bytes=_PACKET_BYTES,
        initial_window_segments=INITIAL_WINDOW_SEGMENTS,
        name="short",
    )
    return plan.scenario(
        f"{n_flows} long, short of {short_packets}, {name}",
        sizing,
        n_flows,
        plan.long_flows(n_flows, plan.start_s / 4, name="long"),
        short_flows,
    )


def _fixed(plan: _Plan, n_flows: int, short_packets: int, buffer_packets: float) -> Scenario:
    sizing = fixed(buffer_packets, _PACKET_BYTES)
    return _scenario(plan, f"{buffer_packets:.0f} packets", n_flows, short_packets, sizing)


def _adaptive(plan: _Plan, n_flows: int, short_packets: int) -> Scenario:
    sizing = adaptive("abs", plan.pipe_packets / 4, _PACKET_BYTES, UTILIZATION)
    return _scenario(plan, "adaptive", n_flows, short_packets, sizing)


def _completion_s(result: CellResult) -> float:
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

    def cells(self, size: Size) -> Sequence[Cell]:
        plan = _PLANS[size]
        return [cell for mix in _mixes(plan) for cell in self._cells_of(plan, *mix)]

    def _cells_of(self, plan: _Plan, n_flows: int, short_packets: int) -> list[Cell]:
        rule = square_root_rule(plan.pipe_packets, n_flows)
        buffers = {multiple * rule: "static" for multiple in plan.multiples}
        buffers |= {rule: "stanford", plan.pipe_packets: "bdp"}
        fixed = [
            Cell(_fixed(plan, n_flows, short_packets, buffer_packets), policy=policy)
            for buffer_packets, policy in buffers.items()
        ]
        return [*fixed, Cell(_adaptive(plan, n_flows, short_packets))]

    def rows(self, results: Results) -> Sequence[Row]:
        """The static optimum of an `abs` row is read from the grid."""
        plan = _PLANS[results.size]
        optima = {
            _adaptive(plan, *mix).name: self._needed_packets(results, *mix) * _PACKET_BYTES
            for mix in _mixes(plan)
        }
        return [with_optimum(row, optima.get(row.scenario)) for row in super().rows(results)]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        plan = _PLANS[results.size]

        def per_mix(value: Mapping[tuple[int, int], float]) -> dict[int, list[float]]:
            return {
                short: [value[n_flows, short] for n_flows in plan.n_flows]
                for short in plan.short_packets
            }

        needed = {mix: self._needed_packets(results, *mix) for mix in _mixes(plan)}
        held = {mix: results.mean(_adaptive(plan, *mix), _limit_packets) for mix in _mixes(plan)}
        completion = {
            "B = pipe": self._completions_s(results, lambda n: plan.pipe_packets),
            "B = pipe/sqrt(n)": self._completions_s(
                results, lambda n: square_root_rule(plan.pipe_packets, n)
            ),
            "abs": {
                mix: results.mean(_adaptive(plan, *mix), _completion_s) for mix in _mixes(plan)
            },
        }
        return {
            "figure13": plot_buffers(
                plan.n_flows, plan.pipe_packets, per_mix(needed), per_mix(held), UTILIZATION
            ),
            "figure14": plot_completion(
                plan.n_flows, {name: per_mix(times_s) for name, times_s in completion.items()}
            ),
        }

    def findings(self, results: Results) -> Sequence[str]:
        plan = _PLANS[results.size]
        return [self._finding(results, n_flows, short) for n_flows, short in _mixes(plan)]

    def _needed_packets(self, results: Results, n_flows: int, short_packets: int) -> float:
        plan = _PLANS[results.size]
        rule = square_root_rule(plan.pipe_packets, n_flows)
        buffers = [multiple * rule for multiple in plan.multiples]
        used = [
            results.mean(
                _fixed(plan, n_flows, short_packets, buffer),
                lambda result: result.link().utilization,
            )
            for buffer in buffers
        ]
        return smallest_buffer(buffers, used, UTILIZATION)

    def _completions_s(
        self, results: Results, buffer_packets: Callable[[int], float]
    ) -> dict[tuple[int, int], float]:
        """By mix, with a buffer that depends on the number of long flows."""
        return {
            mix: self._completion_s(results, buffer_packets(mix[0]), *mix)
            for mix in _mixes(_PLANS[results.size])
        }

    def _completion_s(
        self, results: Results, buffer_packets: float, n_flows: int, short_packets: int
    ) -> float:
        scenario = _fixed(_PLANS[results.size], n_flows, short_packets, buffer_packets)
        return results.mean(scenario, _completion_s)

    def _finding(self, results: Results, n_flows: int, short_packets: int) -> str:
        plan = _PLANS[results.size]
        rule = square_root_rule(plan.pipe_packets, n_flows)
        needed = self._needed_packets(results, n_flows, short_packets)
        adaptive = _adaptive(plan, n_flows, short_packets)
        held = results.mean(adaptive, _limit_packets)
        used = results.mean(adaptive, lambda result: result.link().utilization)
        large_s = self._completion_s(results, plan.pipe_packets, n_flows, short_packets)
        small_s = self._completion_s(results, rule, n_flows, short_packets)
        return (
            f"{n_flows} long flows with short ones of {short_packets} packets: 95 % takes "
            f"{needed_in_words(needed / rule, '.2f')} x pipe/sqrt(n); abs holds "
            f"{held / rule:.2f} x and uses {used:.2%}. Short flows take {large_s:.2f} s with a "
            f"pipe of buffer, {small_s:.2f} s with pipe/sqrt(n), "
            f"{results.mean(adaptive, _completion_s):.2f} s with abs."
        )


def _mixes(plan: _Plan) -> list[tuple[int, int]]:
    return [(n_flows, short) for short in plan.short_packets for n_flows in plan.n_flows]


def plot_buffers(
    n_flows: Sequence[int],
    pipe_packets: float,
    needed: PerLength,
    held: PerLength,
    utilization: float,
) -> Figure:
    """Figure 13: the smallest buffer and that of `abs`, in packets."""
    figure, axes = figures.panels(
        1,
        len(needed),
        title=f"Buffer for {100 * utilization:g} % utilization with 20 % of short flows",
        panel_height_in=3.8,
    )
    rule = [square_root_rule(pipe_packets, n) for n in n_flows]
    for panel, (length, buffers) in zip(axes, needed.items(), strict=True):
        panel.sharey(axes[0])
        figures.curve(panel, n_flows, rule, "stanford pipe/sqrt(n)")
        figures.curve(panel, n_flows, buffers, "optimum (smallest fixed)")
        figures.curve(panel, n_flows, held[length], "abs")
        figures.logarithmic(panel)
        figures.label(panel, "long flows", "", f"short flows of {length} packets")
        figures.legend(panel)
    axes[0].set_ylabel("buffer (packets of 1500 B)")
    return figure


def plot_completion(n_flows: Sequence[int], completion: Mapping[str, PerLength]) -> Figure:
    """Figure 14: mean completion time of the short flows in s, per rule."""
    lengths = list(next(iter(completion.values())))
    figure, axes = figures.panels(
        1, len(lengths), title="Mean completion time of the short flows", panel_height_in=3.8
    )
    for panel, length in zip(axes, lengths, strict=True):
        for name, times_s in completion.items():
            figures.curve(panel, n_flows, times_s[length], name)
        figures.logarithmic(panel, y=False)
        figures.label(panel, "long flows", "", f"short flows of {length} packets")
        panel.set_ylim(bottom=0)
        figures.legend(panel)
    axes[0].set_ylabel("mean completion time (s)")
    return figure

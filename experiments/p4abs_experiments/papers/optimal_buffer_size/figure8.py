"""Figure 8: the error of three sizing rules against the simulated least buffer."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.crossing import smallest_buffer
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.optimal_buffer_size import grid, published
from p4abs_experiments.papers.optimal_buffer_size.dumbbell import model

_RULES: Mapping[str, str] = {"bdp": "BDP", "stanford": "Stanford", "fluid": "fluid model"}


@dataclass(frozen=True)
class Figure8(Experiment):
    name: str = "seed003-figure8"
    title: str = "Relative error of B_0 by three rules"
    source: str = "Avrachenkov, Ayesta and Piunovskiy 2005, Figure 8 and section III"
    claim: str = (
        "One flow needs the bandwidth-delay product. With more flows the fluid model's error "
        "falls quickly, while the bandwidth-delay product stays too large: in simulations "
        "the smallest buffer is 120 packets for 5 flows and 70 for 20."
    )

    def cells(self) -> Sequence[Cell]:
        return grid.cells(grid.SUFFICIENT_BUFFERS)

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, (buffers, errors) = figures.panels(2, title=self.title, panel_height_in=3.0)
        simulated = _simulated(results)
        flows = list(simulated)
        figures.curve(buffers, flows, list(simulated.values()), "optimum, simulated at 99.9 %")
        for policy in _RULES:
            packets = [_rule(policy, n_flows) for n_flows in flows]
            figures.curve(buffers, flows, packets, policy)
            relative = [
                100 * _error(_rule(policy, n_flows), simulated[n_flows]) for n_flows in flows
            ]
            figures.curve(errors, flows, relative, policy)
        printed = published.SIMULATED_BUFFER_PACKETS
        figures.printed(buffers, list(printed), list(printed.values()), "simulated in the paper")
        figures.target(errors, 0, "no error")
        figures.logarithmic(buffers)
        figures.logarithmic(errors, y=False)
        errors.set_yscale("symlog", linthresh=100)
        buffers.set_yticks([50, 100, 200, 500, 1000], ["50", "100", "200", "500", "1000"])
        errors.set_yticks([-50, 0, 50, 100, 200, 500], ["-50", "0", "50", "100", "200", "500"])
        errors.set_xticks(flows, [str(n_flows) for n_flows in flows])
        for axes in (buffers, errors):
            axes.minorticks_off()
        figures.label(buffers, "", "B_0 (packets of 500 B)")
        figures.label(errors, "number of flows", "relative error of B_0 (%)")
        for axes in (buffers, errors):
            figures.legend(axes)
        return {"figure8": figure}

    def findings(self, results: Results) -> Sequence[str]:
        simulated = _simulated(results)
        return [
            *(_sentence(n_flows, least) for n_flows, least in simulated.items()),
            *_nearest(simulated),
            "Two printed figures are not what the formulas they are ascribed to give: 250 and 62 "
            "packets are the synchronized (mu RTT)^2 / (18 n), not equation (12), which gives "
            f"{model(5, 1).full_utilization_buffer:.1f} and "
            f"{model(20, 1).full_utilization_buffer:.2f}; and 150 / sqrt(20) is "
            f"{_rule('stanford', 20):.0f} packets, not 21.",
        ]


def _simulated(results: Results) -> dict[int, float]:
    """Least buffer of full utilization in packets, by number of flows; nan: none of the grid."""
    return {
        n_flows: smallest_buffer(
            [point.buffer_packets for point in points],
            [point.utilization for point in points],
            published.FULL_UTILIZATION,
        )
        for n_flows, points in grid.points(results, grid.SUFFICIENT_BUFFERS).items()
    }


def _rule(policy: str, n_flows: int) -> float:
    """What a rule asks for, in packets."""
    if policy == "fluid":
        return model(n_flows).full_utilization_buffer
    return published.BDP_PACKETS / (math.sqrt(n_flows) if policy == "stanford" else 1)


def _error(rule: float, simulated: float) -> float:
    return (rule - simulated) / simulated


def _sentence(n_flows: int, least: float) -> str:
    printed = published.SIMULATED_BUFFER_PACKETS.get(n_flows)
    seed = f" (paper: {printed})" if printed else ""
    if math.isnan(least):
        return f"N = {n_flows}: no simulated buffer reaches 99.9 %{seed}."
    errors = ", ".join(
        f"{name} {rule:.0f} packets ({_error(rule, least):+.0%})"
        for policy, name in _RULES.items()
        for rule in (_rule(policy, n_flows),)
    )
    flows = f"{n_flows} flow{'s' if n_flows > 1 else ''}"
    return f"{flows}: 99.9 % utilization needs {least:.0f} packets{seed}. Rules: {errors}."


def _nearest(simulated: Mapping[int, float]) -> list[str]:
    """Which rule comes closest at which number of flows."""

    def nearest_at(n_flows: int) -> str:
        return min(_RULES, key=lambda rule: abs(_rule(rule, n_flows) - simulated[n_flows]))

    best = {n: nearest_at(n) for n, least in simulated.items() if not math.isnan(least)}
    if not best:
        return []
    flows = {
        name: [str(n_flows) for n_flows, policy in best.items() if policy == rule]
        for rule, name in _RULES.items()
    }
    listed = "; ".join(f"{name}: N = {', '.join(of)}" for name, of in flows.items() if of)
    return [
        f"The rule with the least error: {listed}. The paper too has the bandwidth-delay product "
        "for one flow and the fluid model for many."
    ]

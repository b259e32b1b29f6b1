"""Figure 12: the smallest buffer that slows short flows down by at most 12.5 %.

Buffers are fractions of the model's, the b for which P(Q >= b) = 0.025; the smallest sufficient
one is interpolated. Windows are 20 s (seed: minutes); the 200 Mb/s line is simulated for two flow
lengths, as it costs five times the 40 Mb/s line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.crossing import needed_in_words, smallest_buffer
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.sizing_router_buffers.short_flows import (
    INFINITE_PACKETS,
    model,
    short_flow_scenario,
)
from p4abs_experiments.papers.sizing_router_buffers.short_flows_plot import plot_completion

TAIL_PROBABILITY = 0.025
SLOWDOWN = 1.125
_GRID: Mapping[int, tuple[int, ...]] = {
    40_000_000: (6, 14, 22, 30, 46, 62),
    80_000_000: (6, 14, 30, 62),
    200_000_000: (14, 62),
}
"""Lengths of flows, by the capacity."""
_SHARES = (0.05, 0.1, 0.2, 0.4, 1.0)
"""Buffers in model buffers."""
_START_S, _WINDOW_S = 2.0, 20.0


def _buffer(flow_packets: int) -> float:
    return model(flow_packets).buffer_for_tail(TAIL_PROBABILITY)


def _scenario(capacity_bps: int, flow_packets: int, buffer_packets: float) -> Scenario:
    return short_flow_scenario(capacity_bps, flow_packets, buffer_packets, _START_S, _WINDOW_S)


@dataclass(frozen=True)
class ShortCompletion(Experiment):
    name: str = "seed001-figure12"
    title: str = "Smallest buffer that slows short flows down by at most 12.5 %"
    source: str = "Appenzeller, Keslassy, McKeown 2004, Figure 12, Appendix C"
    claim: str = (
        "Short flows need a small buffer that depends on their length and the load only; the "
        "effective-bandwidth bound with P(Q > B) = 0.025 predicts it."
    )

    def cells(self) -> Sequence[Cell]:
        return [
            Cell(_scenario(capacity_bps, flow_packets, buffer_packets))
            for capacity_bps, lengths in _GRID.items()
            for flow_packets in lengths
            for buffer_packets in (INFINITE_PACKETS, *self._buffers(flow_packets))
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"figure12": plot_completion(self._needed(results), _buffer)}

    def findings(self, results: Results) -> Sequence[str]:
        needed = self._needed(results)
        return [
            f"At {capacity_bps / 1e6:g} Mb/s the buffer for a slowdown of 12.5 % is "
            + ", ".join(
                f"{needed_in_words(buffer, '.0f')} packets for flows of {length} "
                f"(bound {_buffer(length):.0f})"
                for length, buffer in points.items()
            )
            + "."
            for capacity_bps, points in needed.items()
        ]

    def _buffers(self, flow_packets: int) -> list[int]:
        return sorted({max(2, round(share * _buffer(flow_packets))) for share in _SHARES})

    def _needed(self, results: Results) -> dict[int, dict[int, float]]:
        """Rate in bit/s, flow length: buffer in packets."""
        return {
            capacity_bps: {n: self._needed_packets(results, capacity_bps, n) for n in lengths}
            for capacity_bps, lengths in _GRID.items()
        }

    def _needed_packets(self, results: Results, capacity_bps: int, flow_packets: int) -> float:
        def completion_s(buffer_packets: float) -> float:
            scenario = _scenario(capacity_bps, flow_packets, buffer_packets)
            return results.mean(scenario, lambda result: result.of("short").completion_mean_s)

        buffers = self._buffers(flow_packets)
        unhindered_s = completion_s(INFINITE_PACKETS)
        speeds = [unhindered_s / completion_s(buffer_packets) for buffer_packets in buffers]
        return smallest_buffer(buffers, speeds, 1 / SLOWDOWN)

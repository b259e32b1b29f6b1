"""Figure 10: the mean queue against the length of the flows, at a load of 0.8.

The buffer is infinite. Windows are 20 s (seed: minutes); the 200 Mb/s line is simulated for half
of the flow lengths, as it costs five times the 40 Mb/s line.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.papers.sizing_router_buffers.short_flows import (
    INFINITE_PACKETS,
    PACKET_BYTES,
    model,
    short_flow_scenario,
)
from p4abs_experiments.papers.sizing_router_buffers.short_flows_plot import plot_queue

_LENGTHS = (2, 6, 10, 14, 16, 22, 30, 40, 50, 62)
_GRID = {40_000_000: _LENGTHS, 80_000_000: _LENGTHS, 200_000_000: _LENGTHS[1::2]}
"""Lengths of flows, by the capacity."""
_START_S, _WINDOW_S = 2.0, 20.0


def _scenario(capacity_bps: int, flow_packets: int) -> Scenario:
    return short_flow_scenario(capacity_bps, flow_packets, INFINITE_PACKETS, _START_S, _WINDOW_S)


@dataclass(frozen=True)
class ShortQueue(Experiment):
    name: str = "seed001-figure10"
    title: str = "Mean queue of short flows against their length"
    source: str = "Appenzeller, Keslassy, McKeown 2004, Figure 10, section 4"
    claim: str = (
        "The mean queue of short flows depends on their length and the load, not on the rate, and "
        "an M/G/1 queue of slow-start bursts predicts it from above."
    )

    def cells(self) -> Sequence[Cell]:
        return [
            Cell(_scenario(capacity_bps, flow_packets))
            for capacity_bps, lengths in _GRID.items()
            for flow_packets in lengths
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"figure10": plot_queue(self._queues(results), lambda n: model(n).mean_queue())}

    def findings(self, results: Results) -> Sequence[str]:
        queues = self._queues(results)
        shares = {
            capacity_bps: fmean(queue / model(n).mean_queue() for n, queue in points.items())
            for capacity_bps, points in queues.items()
        }
        loads = [
            results.mean(_scenario(rate, n), lambda result: result.link().utilization)
            for rate, points in queues.items()
            for n in points
        ]
        sentences = [
            "Mean queue over the model's E[Q], averaged over the flow lengths: "
            + ", ".join(f"{share:.2f} at {rate / 1e6:g} Mb/s" for rate, share in shares.items())
            + f" (measured load {min(loads):.2f} to {max(loads):.2f}). Acknowledgements space the "
            "second and later bursts out, which the model takes as arriving at once."
        ]
        peaks = [
            f"{points[14]:.1f} against {points[16]:.1f} packets at {rate / 1e6:g} Mb/s"
            for rate, points in queues.items()
            if 14 in points and 16 in points
        ]
        if peaks:
            sentences.append(
                "Flows of 14 against flows of 16 packets, where the model has "
                f"{model(14).mean_queue():.1f} against {model(16).mean_queue():.1f}: "
                + ", ".join(peaks)
                + "."
            )
        return sentences

    def _queues(self, results: Results) -> dict[int, dict[int, float]]:
        """Rate in bit/s, flow length: mean queue in packets."""
        return {
            capacity_bps: {
                flow_packets: results.mean(
                    _scenario(capacity_bps, flow_packets),
                    lambda result: result.link().mean_occupancy_bytes / PACKET_BYTES,
                )
                for flow_packets in lengths
            }
            for capacity_bps, lengths in _GRID.items()
        }

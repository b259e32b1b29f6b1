"""Figures 10 and 12: a link that carries short flows only (section 4).

Flows of a fixed number of packets start as a Poisson process at a load of 0.8 and never leave slow
start, which begins with two packets. Packets are 1000 bytes and round-trip times U[60, 100] ms
(the paper prints neither for these figures); access links are infinitely fast and without jitter,
as the model assumes. The paper's 40, 80 and 200 Mb/s are kept; the last is simulated for fewer flow
lengths, as it costs five times the first. Windows are 20 s (seed: minutes).

Figure 10 is the mean queue in an infinite buffer. Figure 12 is the smallest buffer that slows flows
down by at most 12.5 %: buffers are fractions of the model's, the b for which P(Q >= b) = 0.025, and
the smallest sufficient one is interpolated.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.crossing import needed_in_words, smallest_buffer
from p4abs_experiments.network import Scenario, ShortFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output import figures
from p4abs_experiments.papers.dumbbell import INITIAL_WINDOW_SEGMENTS, LINK, Dumbbell, segment_bytes
from p4abs_experiments.papers.sizing_router_buffers.models.short_flows import (
    BurstQueue,
    slow_start_bursts,
)

LOAD = 0.8
PACKET_BYTES = 1000
INFINITE_PACKETS = 100_000
TAIL_PROBABILITY = 0.025
SLOWDOWN = 1.125

_CONTROL_BYTES = 92
"""The SYN of a connection and the acknowledgement of its answer load the link as well."""
_LENGTHS = (2, 6, 10, 14, 16, 22, 30, 40, 50, 62)
_OF_QUEUES = {40_000_000: _LENGTHS, 80_000_000: _LENGTHS, 200_000_000: _LENGTHS[1::2]}
_OF_BUFFERS: Mapping[int, tuple[int, ...]] = {
    40_000_000: (6, 14, 22, 30, 46, 62),
    80_000_000: (6, 14, 30, 62),
    200_000_000: (14, 62),
}
"""Lengths of flows in packets, by the capacity."""
_SHARES = (0.05, 0.1, 0.2, 0.4, 1.0)
"""Buffers in model buffers."""

_Points = Mapping[int, Mapping[int, float]]
"""Rate in bit/s, flow length in packets: packets."""


def scenario(
    capacity_bps: int, flow_packets: int, buffer_packets: float = INFINITE_PACKETS
) -> Scenario:
    """Flows of `flow_packets` at LOAD through a buffer of `buffer_packets`."""
    flows = ShortFlows(
        path=(LINK,),
        flows_per_s=LOAD * capacity_bps / 8 / (flow_packets * PACKET_BYTES + _CONTROL_BYTES),
        size_bytes=flow_packets * segment_bytes(PACKET_BYTES),
        rtt_s=(0.06, 0.1),
        packet_bytes=PACKET_BYTES,
        initial_window_segments=INITIAL_WINDOW_SEGMENTS,
        jitter_s=0,
    )
    limit = "infinite" if buffer_packets >= INFINITE_PACKETS else f"{buffer_packets:.0f} packets"
    link = Dumbbell(
        capacity_bps=capacity_bps,
        rtt_s=flows.rtt_s,
        packet_bytes=PACKET_BYTES,
        n_flows=(),
        start_s=2.0,
        window_s=20.0,
    )
    name = f"{capacity_bps / 1e6:g} Mb/s, flows of {flow_packets}, buffer {limit}"
    return link.scenario(name, link.fixed(buffer_packets), 0, flows)


def model(flow_packets: int) -> BurstQueue:
    """The M/G/1 model of the same flows."""
    return BurstQueue(slow_start_bursts(flow_packets), LOAD)


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
        return [Cell(scenario(rate, n)) for rate, lengths in _OF_QUEUES.items() for n in lengths]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        drawn = _drawn(
            "Mean queue of short flows at load 0.8",
            "mean queue (packets)",
            _queues(results),
            "E[Q]",
            lambda n: model(n).mean_queue(),
        )
        return {"figure10": drawn}

    def findings(self, results: Results) -> Sequence[str]:
        queues = _queues(results)
        shares = {
            rate: fmean(queue / model(n).mean_queue() for n, queue in points.items())
            for rate, points in queues.items()
        }
        loads = [
            results.utilization(scenario(rate, n))
            for rate, points in queues.items()
            for n in points
        ]
        peaks = [
            f"{points[14]:.1f} against {points[16]:.1f} packets at {rate / 1e6:g} Mb/s"
            for rate, points in queues.items()
            if 14 in points and 16 in points
        ]
        return [
            "Averaged over the flow lengths, the measured mean queue is this multiple of the "
            "model's: "
            + ", ".join(f"{share:.2f} at {rate / 1e6:g} Mb/s" for rate, share in shares.items())
            + f" (measured load {min(loads):.2f} to {max(loads):.2f}). Acknowledgments space the "
            "second and later bursts out, which the model takes as arriving at once.",
            "Flows of 14 against flows of 16 packets, where the model has "
            f"{model(14).mean_queue():.1f} against {model(16).mean_queue():.1f}: "
            f"{', '.join(peaks)}.",
        ]


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
            Cell(scenario(rate, n, buffer_packets))
            for rate, lengths in _OF_BUFFERS.items()
            for n in lengths
            for buffer_packets in (INFINITE_PACKETS, *_buffers(n))
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        drawn = _drawn(
            "Smallest buffer for completion times up by at most 12.5 %, at load 0.8",
            "buffer (packets)",
            _needed(results),
            "P(Q > B) = 0.025",
            _model_buffer,
        )
        return {"figure12": drawn}

    def findings(self, results: Results) -> Sequence[str]:
        return [
            f"At {capacity_bps / 1e6:g} Mb/s the buffer for a slowdown of 12.5 % is "
            + ", ".join(
                f"{needed_in_words(buffer, '.0f')} packets for flows of {length} "
                f"(bound {_model_buffer(length):.0f})"
                for length, buffer in points.items()
            )
            + "."
            for capacity_bps, points in _needed(results).items()
        ]


def _queues(results: Results) -> _Points:
    return {
        rate: {
            n: results.mean(
                scenario(rate, n), lambda run: run.link().mean_occupancy_bytes / PACKET_BYTES
            )
            for n in lengths
        }
        for rate, lengths in _OF_QUEUES.items()
    }


def _model_buffer(flow_packets: int) -> float:
    return model(flow_packets).buffer_for_tail(TAIL_PROBABILITY)


def _buffers(flow_packets: int) -> list[int]:
    return sorted({max(2, round(share * _model_buffer(flow_packets))) for share in _SHARES})


def _needed(results: Results) -> _Points:
    def completion_s(rate: int, n: int, buffer_packets: float = INFINITE_PACKETS) -> float:
        runs = scenario(rate, n, buffer_packets)
        return results.mean(runs, lambda run: run.of("short").completion_mean_s)

    def needed(rate: int, n: int) -> float:
        buffers, unhindered_s = _buffers(n), completion_s(rate, n)
        speeds = [unhindered_s / completion_s(rate, n, each) for each in buffers]
        return smallest_buffer(buffers, speeds, 1 / SLOWDOWN)

    return {rate: {n: needed(rate, n) for n in lengths} for rate, lengths in _OF_BUFFERS.items()}


def _drawn(
    title: str, quantity: str, points: _Points, formula: str, modelled: Callable[[int], float]
) -> Figure:
    """A quantity against the length of the flows, with the model."""
    figure, (axes,) = figures.panels(title=title)
    longest = max(length for lengths in points.values() for length in lengths)
    lengths = range(1, longest + 1)
    figures.model(axes, lengths, [modelled(length) for length in lengths], f"model, {formula}")
    for capacity_bps, values in points.items():
        figures.curve(axes, list(values), list(values.values()), f"{capacity_bps / 1e6:g} Mb/s")
    figures.label(axes, "length of the flows (packets)", quantity)
    axes.set_ylim(bottom=0)
    figures.legend(axes)
    return figure

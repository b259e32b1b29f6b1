"""Figure 1: loss falls and utilization rises with the buffer, for every TCP variant.

Ten flows at 100 Mb/s, packets of 1500 bytes, round-trip times uniform in [30, 50] ms, fixed limits.
The paper shows limits up to some 1000 packets. Runs of 40 s, measured after 10 s. LP also yields to
queueing delay: where the limit leaves room for it, delay stops LP and not loss, and section 2's
argument does not hold.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import Scenario, Sizing, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.figures import curve, label, legend, logarithmic, panels
from p4abs_experiments.papers.adaptive_buffer_sizing.scenarios import BOTTLENECK, bottleneck

CAPACITY_BPS = 100_000_000
FLOWS = 10
FRAME_BYTES = 1500
RTT_S = (0.030, 0.050)
CONGESTION_CONTROLS = (
    "newreno",
    "bic",
    "cubic",
    "highspeed",
    "htcp",
    "scalable",
    "westwood",
    "lp",
)
_DURATION_S = 40.0
BUFFERS_PACKETS = (4, 8, 16, 32, 64, 128, 256, 512, 1024)

UTILIZATION_NOISE = 0.005
LOSS_NOISE = 0.10
"""Steps in the wrong direction up to these (points as a fraction, relative) count as noise."""


def cell(congestion_control: str, buffer_packets: int) -> Cell:
    limit_bytes = buffer_packets * FRAME_BYTES
    flows = TcpFlows(
        count=FLOWS,
        path=(BOTTLENECK,),
        rtt_s=RTT_S,
        congestion_control=congestion_control,
        packet_bytes=FRAME_BYTES,
    )
    sizing = Sizing(
        initial_limit_bytes=limit_bytes, min_limit_bytes=FRAME_BYTES, interval_s=_DURATION_S
    )
    scenario = Scenario(
        name=f"{congestion_control}, {buffer_packets} packets",
        links=(bottleneck(CAPACITY_BPS, sizing),),
        traffic=(flows,),
        n_flows=FLOWS,
        duration_s=_DURATION_S,
        measure_from_s=10.0,
    )
    return Cell(scenario, policy=congestion_control)


@dataclass(frozen=True, slots=True)
class Curve:
    """Loss and utilization of one TCP variant at ascending limits."""

    packets: Sequence[float]
    loss: Sequence[float]
    utilization: Sequence[float]

    def utilization_reversals(self) -> int:
        """Steps at which utilization falls by more than noise."""
        return sum(
            after < before - UTILIZATION_NOISE for before, after in pairwise(self.utilization)
        )

    def loss_reversals(self) -> int:
        """Steps at which loss rises by more than noise."""
        return sum(after > before * (1 + LOSS_NOISE) for before, after in pairwise(self.loss))


@dataclass(frozen=True)
class Figure1(Experiment):
    name: str = "seed000-figure1"
    title: str = "Loss and utilization against the buffer, by TCP variant"
    source: str = "Zhang and Loguinov 2010, Figure 1"
    claim: str = (
        "For every TCP variant loss decreases and utilization increases monotonically with the "
        "buffer (the curves of CUBIC and STCP are nearly flat from 64 to 1024 packets)."
    )

    def cells(self) -> Sequence[Cell]:
        return [cell(name, packets) for name in CONGESTION_CONTROLS for packets in BUFFERS_PACKETS]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        figure, (loss, utilization) = panels(2, title=self.title, panel_height_in=3.2)
        for name, found in curves(results).items():
            lost = [100 * each if each > 0 else math.nan for each in found.loss]
            curve(loss, found.packets, lost, name)
            curve(utilization, found.packets, [100 * each for each in found.utilization], name)
        logarithmic(loss)
        loss.set_ylabel("loss (%), where there is any")
        label(utilization, f"limit (packets of {FRAME_BYTES} B)", "utilization (%)")
        legend(loss, columns=2)
        return {"figure1": figure}

    def findings(self, results: Results) -> Sequence[str]:
        return [_sentence(name, curve) for name, curve in curves(results).items()]


def curves(results: Results) -> dict[str, Curve]:
    """By TCP variant, limits ascending as the cells do."""
    names = dict.fromkeys(cell.policy_label for cell in results.cells)
    found = {}
    for name in names:
        links = [results[cell].link() for cell in results.cells if cell.policy_label == name]
        found[name] = Curve(
            packets=[link.mean_limit_bytes / FRAME_BYTES for link in links],
            loss=[link.loss for link in links],
            utilization=[link.utilization for link in links],
        )
    return found


def _sentence(name: str, curve: Curve) -> str:
    reversals = curve.utilization_reversals() + curve.loss_reversals()
    verdict = (
        "both monotonically"
        if reversals == 0
        else f"not monotonically: utilization falls by more than {100 * UTILIZATION_NOISE:g} "
        f"points at {curve.utilization_reversals()} steps, loss rises by more than "
        f"{100 * LOSS_NOISE:g} % at {curve.loss_reversals()}"
    )
    return (
        f"{name}: as the buffer grows from {curve.packets[0]:.0f} to {curve.packets[-1]:.0f} "
        f"packets, utilization goes from {100 * curve.utilization[0]:.1f} to "
        f"{100 * curve.utilization[-1]:.1f} % and loss from {100 * curve.loss[0]:.3g} to "
        f"{100 * curve.loss[-1]:.3g} %, {verdict}."
    )

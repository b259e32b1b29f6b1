"""A load in virtual time: ns-3's TCP, the compiled P4 program, the same policies.

Receivers acknowledge every segment. Linux's acknowledge every second one, but its senders grow
their window by what is acknowledged (RFC 3465), those of ns-3 by a fixed step per acknowledgement:
with delayed ones they would grow half as fast.
"""

from p4abs_demonstration.settings import INTERVAL_S, OVERSIZED_DRAIN_S
from p4abs_experiments.network import RENO, Link, Scenario, Sizing, TcpFlows
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.run.process import CellProcess

from kernel_tcp.loads import CAPACITY_BPS, DELAY_S, LOSS, UTILIZATION, Load, Stretch
from kernel_tcp.rows import Row

SEEDS = (1, 2, 3, 4, 5)
_LINK = "link"
_FRAME_BYTES = 1514
_RECEIVER_WINDOW_BYTES = 1_500_000


def measure(process: CellProcess, load: Load, stretch: Stretch, seed: int) -> Row:
    """One run. Raises UserError, SimulationFailed."""
    _, result = process.run(Cell(scenario(load, stretch), seed))
    link = result.link()
    return Row.of(load, stretch, seed, link.utilization, link.loss, link.mean_limit_bytes)


def scenario(load: Load, stretch: Stretch) -> Scenario:
    """The demonstration's link, and its flows from the first second on."""
    control = RENO if load.congestion_control == "reno" else load.congestion_control
    flows = TcpFlows(
        count=load.flows,
        path=(_LINK,),
        rtt_s=(2 * DELAY_S, 3 * DELAY_S),
        congestion_control=control,
        packet_bytes=_FRAME_BYTES,
        window_bytes=_RECEIVER_WINDOW_BYTES,
    )
    return Scenario(
        name=f"{load.flows} {load.congestion_control}, {stretch.name}",
        links=(Link(_LINK, CAPACITY_BPS, _sizing(stretch)),),
        traffic=(flows,),
        n_flows=load.flows,
        duration_s=stretch.transient_s + stretch.measured_s,
        measure_from_s=stretch.transient_s,
    )


def _sizing(stretch: Stretch) -> Sizing:
    if stretch.policy == "static":
        return Sizing(initial_limit_bytes=stretch.limit_bytes)
    return Sizing(
        initial_limit_bytes=stretch.limit_bytes,
        policy=stretch.policy,
        utilization=UTILIZATION,
        loss=LOSS,
        max_limit_bytes=round(OVERSIZED_DRAIN_S * CAPACITY_BPS / 8),
        interval_s=INTERVAL_S,
    )

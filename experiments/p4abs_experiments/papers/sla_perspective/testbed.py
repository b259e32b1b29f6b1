"""The paper's testbed: one bottleneck with one of three kinds of buffer (section 3)."""

from p4abs_experiments.network import Link, QueueDisc, Scenario, Sizing
from p4abs_experiments.papers.sla_perspective import published, scale
from p4abs_experiments.papers.sla_perspective.published import RedThresholds
from p4abs_experiments.papers.sla_perspective.traffic import Load

LARGEST_LIMIT_BYTES = scale.limit_bytes(published.LONG_FLOW_SIZES[1200].bscl)
"""Of Table 3, 0.8 s."""
_RED_LIMIT_PACKETS = published.DROP_TAIL_PACKETS[-1] // scale.SCALE
_ROUTER_WEIGHT = 2**-9
_SEGMENTS_PER_ACKNOWLEDGEMENT = 2
"""The paper's hosts are real ones, which delay acknowledgements."""


def fixed(packets: float) -> Link:
    """Drop tail with a fixed buffer, in packets of the paper."""
    return sized(
        Sizing(
            initial_limit_bytes=scale.limit_bytes(packets),
            min_limit_bytes=scale.LARGEST_FRAME_BYTES,
        )
    )


def sized(sizing: Sizing) -> Link:
    """Drop tail, sized by a policy."""
    return Link("bottleneck", scale.CAPACITY_BPS, sizing)


def adaptive(utilization: float, loss: float) -> Link:
    """Drop tail, sized by ABS from one bandwidth-delay product on, up to the largest buffer of
    Table 3."""
    return sized(
        Sizing(
            policy="abs",
            utilization=utilization,
            loss=loss,
            initial_limit_bytes=scale.limit_bytes(published.BDP_PACKETS),
            min_limit_bytes=scale.LARGEST_FRAME_BYTES,
            max_limit_bytes=LARGEST_LIMIT_BYTES,
        )
    )


def red(thresholds: RedThresholds) -> Link:
    """RED as the routers recommend it: drops up to one packet in ten, all beyond the upper
    threshold. The weight is scaled too, so that the average forgets in the same time."""
    attributes = {
        "MinTh": f"{thresholds.minimum / scale.SCALE:g}",
        "MaxTh": f"{thresholds.most / scale.SCALE:g}",
        "MaxSize": f"{_RED_LIMIT_PACKETS}p",
        "QW": f"{scale.SCALE * _ROUTER_WEIGHT:g}",
        "LInterm": "10",
        "Gentle": "false",
    }
    return Link("bottleneck", scale.CAPACITY_BPS, None, QueueDisc("RedQueueDisc", attributes))


def scenario(load: Load, link: Link, settle_s: float, measured_s: float) -> Scenario:
    """`measured_s` are measured after `settle_s`."""
    return Scenario(
        name=f"seed004 {load.mix}, {load.name}",
        links=(link,),
        traffic=load.traffic,
        n_flows=load.n_flows,
        delayed_ack_segments=_SEGMENTS_PER_ACKNOWLEDGEMENT,
        duration_s=settle_s + measured_s,
        measure_from_s=settle_s,
    )

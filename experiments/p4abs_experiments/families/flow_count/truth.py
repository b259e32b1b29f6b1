"""What is true of flows, whatever the data plane sees of them."""

from collections.abc import Sequence

import numpy as np

from p4abs_experiments.simulation.result import FlowResult


def mean_rtt_s(flows: Sequence[FlowResult]) -> float | None:
    """The mean of their round-trip times without queueing, by what they sent; None: nothing."""
    weights = np.array([flow.goodput_bps for flow in flows])
    if not weights.any():
        return None
    return float(np.average([flow.rtt_s for flow in flows], weights=weights))

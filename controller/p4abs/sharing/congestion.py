"""How many queues of each class are congested: n of ABM.

    T_i = alpha_i / n_c * (B - sum of all queues)      the threshold of queue i, of class c
    n_c = max(1, sum over i in c of min(q_i / T_i, 1))

Addanki et al., "ABM: Active buffer management in datacenters", SIGCOMM 2022, count a queue as
congested from 0.9 of its threshold on. A step there lets n jump between two values whenever a queue
passes it, so a queue counts by how near it is, as in the simulator. The paper's third factor, the
share of the port's rate that a queue gets, is left to alpha.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from p4abs.columns import Floats
from p4abs.control.sample import Steps

# A tenth of a queue hardly moves a threshold, so it is not worth a message.
_ROUNDED_TO = 1


class Congestion:
    """Follows the queues of a switch's ports.

    `alphas` and `classes` are the queues' in the order of the control's positions, `memory_bytes`
    is B.
    """

    def __init__(self, memory_bytes: int, alphas: Sequence[float], classes: Sequence[int]) -> None:
        self._memory_bytes = memory_bytes
        self._alphas = np.array(alphas, np.float64)
        self._classes = np.array(classes, np.int64)
        self._backlog_bytes = np.zeros(len(alphas), np.int64)
        self._present = sorted(set(classes))
        self._congested = np.ones(1 + max(classes))

    def follow(self, steps: Steps) -> Mapping[int, float]:
        """Takes the queues at the end of an interval; returns each class's number, to a tenth."""
        self._backlog_bytes[steps.ports] = steps.occupancy_bytes
        congested = np.bincount(self._classes, self._shares_of_thresholds(), len(self._congested))
        self._congested = np.maximum(1.0, congested.round(_ROUNDED_TO))
        return {each: self._congested[each].item() for each in self._present}

    def _shares_of_thresholds(self) -> Floats:
        """How near each queue is to its threshold, from 0 to 1."""
        free_bytes = max(0, self._memory_bytes - int(self._backlog_bytes.sum()))
        threshold_bytes = self._alphas * free_bytes / self._congested[self._classes]
        return np.minimum(1.0, self._backlog_bytes / np.maximum(1.0, threshold_bytes))

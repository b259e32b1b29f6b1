"""The figures that seed 002 prints in its table (section III.A) and text.

200 Mb/s, 1000 TCP users with RTT U[40, 440] ms, packets of 1500 bytes. Fractions and seconds.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Discipline:
    """One row of the table. ``fairness`` is Jain's index, goodput is a share of the capacity."""

    utilization: float
    loss: float
    mean_delay_s: float
    fairness: float
    goodput: float


TABLE = {
    "drop-tail": Discipline(0.9999, 0.0473, 0.02378, 0.58, 0.9875),
    "adt": Discipline(0.9903, 0.0487, 0.00666, 0.56, 0.9772),
    "adaptive-red": Discipline(1.0000, 0.0490, 0.01799, 0.79, 0.9892),
    "adt-reverse": Discipline(0.9904, 0.0473, 0.01714, 0.70, 0.9454),
}
"""``adt-reverse``: 1000 connections in each direction, ADT at both queues."""

DROP_TAIL_PACKETS = 500

ADT_PARAMETERS = {"weight": 0.1, "sample_period_s": 0.3, "factor": 1.01, "utilization": 0.99}
"""rho, SamplePeriod, c and u of section III."""

FIGURE_3_LIMIT_PACKETS = {"many users": 40, "few users": 400}
"""Section III.C: below the first with many users, over the second with few."""

"""What seed 000 prints in Table 1 and says about its figures.

The figures' curves are not in the text of the seed; the numbers here are those of its sentences
and captions.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rem:
    """One cell of Table 1: mean queue in packets, loss and utilization as fractions."""

    queue_packets: float
    loss: float
    utilization: float


def _rem(queue_packets: float, loss_percent: float, utilization_percent: float) -> Rem:
    return Rem(queue_packets, loss_percent / 100, utilization_percent / 100)


TABLE_1: dict[str, dict[int, Rem]] = {
    "reno": {100: _rem(56.14, 0.00, 100.00), 10: _rem(5.41, 9.88, 84.78)},
    "bic": {100: _rem(52.88, 0.00, 100.00), 10: _rem(5.27, 9.04, 86.52)},
    "cubic": {100: _rem(52.48, 0.00, 100.00), 10: _rem(4.92, 7.84, 87.22)},
    "highspeed": {100: _rem(56.73, 0.00, 100.00), 10: _rem(4.96, 9.60, 86.59)},
    "scalable": {100: _rem(54.38, 0.00, 100.00), 10: _rem(5.40, 12.48, 83.74)},
    "htcp": {100: _rem(57.77, 0.00, 100.00), 10: _rem(4.60, 8.20, 87.46)},
    "westwood": {100: _rem(54.61, 0.00, 100.00), 10: _rem(4.99, 10.08, 84.50)},
}
"""Congestion control, then buffer size in packets: REM with marking, ECN, q* = 50 packets."""

FIGURE_2_STEADY_PACKETS = 1200
"""u* = 95 %, p* = 0.5 %, I = 3000, T = 200 ms, no training (section 3.2)."""

FIGURE_2_OSCILLATION_PACKETS = (1, 2700)
"""The same with u* = 70 %, p* = 5 %."""

FIGURE_5_LIMIT_PACKETS = (40, 100)
"""Range in which the limit varies under web traffic (section 4.4)."""

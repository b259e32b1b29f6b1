"""What the paper prints in Tables 1 to 3 and says about its figures.

Tables 2 and 3 have 600-byte packets, u* = 98 % and p* = 2 %.

Table 2's caption says 10 Mb/s and its text 16 Mb/s; its row for 16 flows is Table 3's row for
16 Mb/s, so 16 Mb/s it is. The curves of the figures are not in the text of the paper; the
numbers here are those of its sentences and captions.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """One printed triple: limit in packets, loss and utilization as fractions."""

    limit_packets: float
    loss: float
    utilization: float


COLUMNS = ("bdp", "stanford", "bscl", "abs")
"""The policies, in the order of the tables' columns."""

_TABLE_2 = """
2     110  0.08 94.3   155  0.06 95.8    55 0.11  89.6   287 0.03  97.9
4     116  0.18 94.3   116  0.18 94.3    47 0.32  85.5   232 0.09  97.8
8     128  0.42 93.5    91  0.55 88.5    45 0.83  78.6   229 0.23  97.9
16    150  1.05 94.9    75  1.6  87.8    45 1.8   83.4   227 0.74  97.9
32    190  1.76 98.3    68  2.88 92.8    45 3.24  89.8   151 2.04  97.9
64    261  2.76 99.9    66  4.85 95.8    94 4.51  97.6   443 2.00 100.0
128   383  4.06 100.0   68  7.08 97.5   358 4.18 100.0   941 2.05 100.0
256   595  5.11 100.0   75  9.38 98.8   922 4.24 100.0  2006 2.03 100.0
512   965  5.69 100.0   86 11.42 99.8  2106 4.19 100.0  4210 2.00 100.0
1024 1618  6.47 100.0  102 13.45 100.0 4569 3.94 100.0  8613 2.03 100.0
"""

_TABLE_3 = """
2      19 9.7    99.2   10 12.7   97.5   76 3.7    99.9  148 2.08   99.9
4      38 4.8    98.4   19 6.6    95.1   53 4.0    99.1  131 2.03   99.7
8      75 2.4    96.1   38 3.03   91.9   17 4.3    79.5  120 1.85   97.9
16    150 1.05   94.9   75 1.6    87.8   45 1.8    83.4  227 0.74   97.9
32    300 0.4    97.3  150 0.6    91.2  100 0.8    86.2  333 0.35   97.9
64    600 0.13   98.5  300 0.2    94.3  211 0.3    90.9  496 0.15   97.9
128  1200 0.05   99.2  600 0.08   96.4  432 0.09   93.0  780 0.06   97.8
256  2400 0.021  99.4 1200 0.03   98.1  875 0.04   95.2 1164 0.028  97.9
512  4799 0.003  99.6 2400 0.008  98.6 1760 0.01   97.7 1759 0.012  98.1
1024 9597 0.0003 99.6 4799 0.0007 98.2 3531 0.0009 96.6 3860 0.0008 97.9
"""


def _parsed(text: str) -> dict[int, dict[str, Published]]:
    rows = {}
    for line in text.strip().splitlines():
        key, *numbers = line.split()
        triples = zip(*[iter(map(float, numbers))] * 3, strict=True)
        rows[int(key)] = {
            policy: Published(packets, loss / 100, utilization / 100)
            for policy, (packets, loss, utilization) in zip(COLUMNS, triples, strict=True)
        }
    return rows


TABLE_2 = _parsed(_TABLE_2)
"""Number of flows, then policy; the link has 16 Mb/s."""

TABLE_3 = _parsed(_TABLE_3)
"""Capacity in Mb/s, then policy; the link carries 16 flows."""


def _rem(queue_packets: float, loss_percent: float, utilization_percent: float) -> Published:
    return Published(queue_packets, loss_percent / 100, utilization_percent / 100)


TABLE_1: dict[str, dict[int, Published]] = {
    "reno": {100: _rem(56.14, 0.00, 100.00), 10: _rem(5.41, 9.88, 84.78)},
    "bic": {100: _rem(52.88, 0.00, 100.00), 10: _rem(5.27, 9.04, 86.52)},
    "cubic": {100: _rem(52.48, 0.00, 100.00), 10: _rem(4.92, 7.84, 87.22)},
    "highspeed": {100: _rem(56.73, 0.00, 100.00), 10: _rem(4.96, 9.60, 86.59)},
    "scalable": {100: _rem(54.38, 0.00, 100.00), 10: _rem(5.40, 12.48, 83.74)},
    "htcp": {100: _rem(57.77, 0.00, 100.00), 10: _rem(4.60, 8.20, 87.46)},
    "westwood": {100: _rem(54.61, 0.00, 100.00), 10: _rem(4.99, 10.08, 84.50)},
}
"""Congestion control, then buffer size in packets: REM with marking, ECN, q* = 50 packets.

In place of a limit it has the mean queue."""

FIGURE_2_STEADY_PACKETS = 1200
"""u* = 95 %, p* = 0.5 %, I = 3000, T = 200 ms, no training (section 3.2)."""

FIGURE_2_OSCILLATION_PACKETS = (1, 2700)
"""The same with u* = 70 %, p* = 5 %."""

FIGURE_5_LIMIT_PACKETS = (40, 100)
"""Range in which the limit varies under web traffic (section 4.4)."""

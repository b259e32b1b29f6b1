"""The figures that the paper prints in its table (section III.A) and text.

200 Mb/s, 1000 TCP users with RTT U[40, 440] ms, packets of 1500 bytes.
"""

from p4abs_experiments.papers.adaptive_drop_tail.discipline import Discipline

PACKET_BYTES = 1500
UTILIZATION = 0.99
DROP_TAIL_PACKETS = 500

TABLE = {
    "drop-tail": Discipline(0.9999, 0.0473, 0.02378, 0.58, 0.9875),
    "adt": Discipline(0.9903, 0.0487, 0.00666, 0.56, 0.9772),
    "adaptive RED": Discipline(1.0000, 0.0490, 0.01799, 0.79, 0.9892),
    "adt, both ways": Discipline(0.9904, 0.0473, 0.01714, 0.70, 0.9454),
}
"""The last: 1000 connections in each direction, ADT at both queues."""

FIGURE_3_MANY_USERS_PACKETS = 40
FIGURE_3_FEW_USERS_PACKETS = 400
"""Section III.C: below the first for 500 users, over the second for 10."""

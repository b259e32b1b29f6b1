"""The figures that the paper prints (section III); its plots are not readable from its text.

Two of them do not follow from the formulas that the text names. 250 and 62 packets are
(mu RTT)^2 / (18 n), the synchronised case before equation (12); equation (12) itself, the
desynchronised case, gives 6.2 and 0.09. And mu RTT / sqrt(20) of 150 packets is 34, not 21.
"""

CAPACITY_BPS = 100_000_000
PACKET_BYTES = 500
RTT_S = 0.006
"""Both ways over two access links and the bottleneck, 1 ms each."""
BDP_PACKETS = 150

ZERO_BUFFER_RATE_BPS = {5: 64.4e6, 20: 66.6e6}
"""Number of flows: average sending rate without a buffer, simulated."""

FULL_UTILIZATION = 0.999
"""What section III calls full: B_0 of the simulation is the smallest buffer beyond it."""
SIMULATED_BUFFER_PACKETS = {5: 120, 20: 70}

"""The TCP of seeds 001 and 002, which simulated with ns2's.

Of the simulator's variants its NewReno is nearest: under random loss it follows the formula of
Padhye et al. (1998) within 15 %, while its Linux Reno sends 1.2 to 1.5 times as much and so
loses more on a full link. It adds whole bytes per acknowledgement, so windows beyond 150 packets
grow by up to a fifth too slowly; with many flows none is that large. ns2 acknowledges every
segment, and so does the simulator by default.
"""

from __future__ import annotations

CONGESTION_CONTROL = "newreno"
INITIAL_WINDOW_SEGMENTS = 2
"""Seed 001, section 4 and Appendix A."""

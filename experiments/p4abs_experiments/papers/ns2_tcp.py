"""Where ns2's TCP, which seeds 001 and 002 used, differs from the simulator's defaults."""

INITIAL_WINDOW_SEGMENTS = 2
"""Seed 001, section 4 and Appendix A."""

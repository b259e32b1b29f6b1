"""Figures 1 to 9, and links that are no bottleneck."""

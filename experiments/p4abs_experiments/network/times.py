"""Times at which something happens on a link or to a source."""

from collections.abc import Sequence
from itertools import chain, pairwise

Span = tuple[float, float]
"""`(from_s, to_s)` of a simulation's time."""


def are_ascending(times_s: Sequence[float]) -> bool:
    """Whether the times are positive and each lies after the one before it."""
    return all(earlier < later for earlier, later in pairwise((0.0, *times_s)))


def are_apart(spans: Sequence[Span]) -> bool:
    """Whether the spans are in order, do not touch, and begin after time 0."""
    return are_ascending(list(chain.from_iterable(spans)))

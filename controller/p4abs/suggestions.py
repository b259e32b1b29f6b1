"""Suggests valid names for an unknown one."""

from collections.abc import Collection
from difflib import get_close_matches

_ALIKE = 0.7


def closest(name: str, valid: Collection[str]) -> str | None:
    """The valid name that may be meant; None: it resembles none."""
    return next(iter(get_close_matches(name, valid, n=1, cutoff=_ALIKE)), None)


def suggestion(name: str, valid: Collection[str]) -> str:
    """The end of an error message: the valid name that may be meant, or all valid ones."""
    meant = closest(name, valid)
    return f"valid: {', '.join(valid)}" if meant is None else f"did you mean {meant}?"

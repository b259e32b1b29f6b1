"""Suggests valid names for an unknown one."""

from collections.abc import Collection
from difflib import get_close_matches

_ALIKE = 0.7


def suggestion(name: str, valid: Collection[str]) -> str:
    """The end of an error message: the valid name that may be meant, or all valid ones."""
    close = get_close_matches(name, valid, n=1, cutoff=_ALIKE)
    return f"did you mean {close[0]}?" if close else f"valid: {', '.join(valid)}"

"""Table entries in a program's own words."""

from collections.abc import Mapping
from typing import NamedTuple


class Lpm(NamedTuple):
    """A longest-prefix match; length 0 matches everything."""

    value: int
    length: int


class Entry(NamedTuple):
    """A table entry: its key by field, its action and that one's arguments by parameter."""

    table: str
    key: Mapping[str, int | Lpm]
    action: str
    arguments: Mapping[str, int]

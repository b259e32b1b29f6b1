"""Rates of the table drain_rate (p4src/tna/byte_clock.p4): each is an action, `gbps_` and a number.

A port with an entry has a queue that empties at that rate.
"""

import re
from collections.abc import Iterable, Mapping

TABLE = "drain_rate"
_ACTION = re.compile(r"(?:.*\.)?gbps_([0-9]+)")


def actions_by_rate(actions: Iterable[str]) -> Mapping[int, str]:
    """Names of actions by their rates in bit/s, ascending; others are left out."""
    matches = [match for match in map(_ACTION.fullmatch, actions) if match]
    return dict(sorted((int(match[1]) * 10**9, match[0]) for match in matches))

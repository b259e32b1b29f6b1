"""How many of the hosts reach each other, in Mininet's words."""

import re
from dataclasses import dataclass

from conformance.outcome import Outcome

_COLOUR = re.compile(r"\x1b\[[\d;]*m")
_NONE = "No packets sent"  # by a host that is alone
_RESULTS = re.compile(r"Results: \d+% dropped \((\d+)/(\d+) received\)")


@dataclass(frozen=True)
class Pings(Outcome):
    """How a lab ended.

    answered, sent: pings between all hosts.
    """

    answered: int = 0
    sent: int = 0

    @property
    def passed(self) -> bool:
        """Whether any was answered."""
        return self.answered > 0

    def _shows_less_than(self, other: Outcome) -> bool:
        return isinstance(other, Pings) and self.answered < other.answered

    def __str__(self) -> str:
        return (
            f"{self.answered} of {self.sent}" if self.broken is None else f"broken: {self.broken}"
        )


def broken(reason: str) -> Pings:
    """No pings, for a reason that a terminal may have coloured."""
    return Pings(broken=_plain(reason))


def read(said: str) -> Pings:
    """Reads the answer to `pingall`."""
    results = _RESULTS.search(said)
    if _NONE in said:
        return Pings()
    if results is None:
        last = said.strip().splitlines()[-1:] or ["nothing"]
        return Pings(broken=f"Mininet says {_plain(last[0])!r}")
    return Pings(int(results[1]), int(results[2]))


def _plain(text: str) -> str:
    return _COLOUR.sub("", text).strip()

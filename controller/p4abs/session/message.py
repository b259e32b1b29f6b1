"""What is said to people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from p4abs.defects import Defect
from p4abs.queues import port_text
from p4abs.units import format_size

# Of more ports than these a message says the least and the greatest limit.
MOST_LISTED = 16


@dataclass(frozen=True)
class Message:
    """One line, about a switch by its name or about the run as a whole.

    `traceback` is that of a defect in p4abs; empty: there is none.
    """

    text: str
    switch: str | None = None
    is_trouble: bool = False
    traceback: str = ""

    @classmethod
    def of_defect(
        cls, error: BaseException, consequence: str, switch: str | None = None, what: str = ""
    ) -> Self:
        """About an exception that nobody expected; `what` had been asked for."""
        defect = Defect.of(error)
        return cls(f"{what}{defect.text}; {consequence}", switch, True, defect.traceback)

    def __str__(self) -> str:
        return self.text if self.switch is None else f"{self.switch}: {self.text}"


def limit_text(limit_bytes: float) -> str:
    """A queue limit; 0 is none, as the P4 program has it."""
    return format_size(limit_bytes) if limit_bytes else "none"


def limits_text(limits: Mapping[int, int]) -> str:
    """Queue limits by port; of many ports, the least and the greatest."""
    if len(limits) > MOST_LISTED:
        lowest, highest = (limit_text(of(limits.values())) for of in (min, max))
        return f"{len(limits)} ports {lowest} to {highest}"
    return ", ".join(f"{port_text(port)} {limit_text(limit)}" for port, limit in limits.items())

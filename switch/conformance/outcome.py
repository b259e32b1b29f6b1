"""How a lab ended on a switch."""

from dataclasses import dataclass, field
from typing import Self


@dataclass(frozen=True)
class Outcome:
    """One that shows what it must, or not; others show more.

    broken: why it shows nothing; None if it does.
    """

    broken: str | None = field(default=None, kw_only=True)

    @property
    def passed(self) -> bool:
        """Whether anything is shown that can be compared."""
        return self.broken is None

    def is_worse_than(self, other: Self) -> bool:
        """Whether less is shown; what is broken there is not held against this one."""
        if other.broken is not None:
            return False
        return self.broken is not None or self._shows_less_than(other)

    def _shows_less_than(self, _other: Self) -> bool:
        return False

    def __str__(self) -> str:
        return "passed" if self.broken is None else f"failed: {self.broken}"

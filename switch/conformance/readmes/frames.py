"""What came of a demonstration on a switch."""

from dataclasses import dataclass, field

from conformance.outcome import Outcome

_REFUSED = ("Error", "Invalid")
_PROMPT = "RuntimeCmd: "


@dataclass(frozen=True)
class Frames(Outcome):
    """How a demonstration ended; equal are those of which the same came, whatever was refused.

    refused: how many commands the switch, or its command line, did not take.
    arrived: by each frame sent, the ports and bytes in hexadecimal of those that came out, sorted.
    counted: what counters and registers said after it.
    """

    refused: int = field(default=0, compare=False)
    arrived: tuple[tuple[tuple[int, str], ...], ...] = ()
    counted: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether any came out."""
        return any(self.arrived)

    def _shows_less_than(self, other: Outcome) -> bool:
        return self != other

    def __str__(self) -> str:
        if self.broken is not None:
            return f"broken: {self.broken}"
        return f"{len(self.arrived)} frames, {sum(map(len, self.arrived))} out"


def refused(said: str) -> int:
    """How many commands were refused, in the command line's words."""
    return sum(line.startswith(_REFUSED) for line in _lines(said))


def counted(said: str) -> tuple[str, ...]:
    """What counters and registers said, without how they are named."""
    return tuple(line.partition("[")[2] for line in _lines(said) if "]= " in line)


def _lines(said: str) -> list[str]:
    return [line.removeprefix(_PROMPT) for line in said.splitlines()]

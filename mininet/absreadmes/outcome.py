"""What came of a demonstration on a switch."""

from dataclasses import dataclass

_REFUSED = ("Error", "Invalid")
_PROMPT = "RuntimeCmd: "


@dataclass(frozen=True)
class Outcome:
    """How a demonstration ended.

    refused: how many commands the switch, or its command line, did not take.
    arrived: by each frame sent, the ports and bytes in hexadecimal of those that came out, sorted.
    counted: what counters and registers said after it.
    broken: why there is nothing of this; None if there is.
    """

    refused: int = 0
    arrived: tuple[tuple[tuple[int, str], ...], ...] = ()
    counted: tuple[str, ...] = ()
    broken: str | None = None

    def __str__(self) -> str:
        if self.broken is not None:
            return f"broken: {self.broken}"
        return f"{len(self.arrived)} frames, {sum(map(len, self.arrived))} out"

    def is_as_much_as(self, other: "Outcome") -> bool:
        """The same frames came out as on another switch, and were counted alike."""
        return (self.arrived, self.counted, self.broken) == (
            *(other.arrived, other.counted, other.broken),
        )


def refused(said: str) -> int:
    """How many commands were refused, in the command line's words."""
    return sum(line.startswith(_REFUSED) for line in _lines(said))


def counted(said: str) -> tuple[str, ...]:
    """What counters and registers said, without how they are named."""
    return tuple(line.partition("[")[2] for line in _lines(said) if "]= " in line)


def _lines(said: str) -> list[str]:
    return [line.removeprefix(_PROMPT) for line in said.splitlines()]

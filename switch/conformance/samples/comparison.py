"""In which answers the two switches differ."""

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.samples.observation import PUSH, Answer, Answers

_CONSTANT = " is_const=True"


@dataclass(frozen=True)
class Difference:
    """One request that is answered otherwise."""

    program: str
    request: str
    here: Answer
    there: Answer

    @property
    def is_in_constancy_alone(self) -> bool:
        """Whether all that differs is which entries are said to be constant."""
        here, there = (
            tuple(entity.replace(_CONSTANT, "") for entity in answer.entities)
            for answer in (self.here, self.there)
        )
        return self.here.code == self.there.code and here == there

    def __str__(self) -> str:
        return f"{self.program}: {self.request}: {self.here}; BMv2: {self.there}"


@dataclass(frozen=True)
class Result:
    """Of one program.

    here, there: whether each switch takes it; requests: how many both have answered.
    """

    here: bool
    there: bool
    requests: int
    differences: tuple[Difference, ...]


def compared(program: str, here: Answers, there: Answers) -> Result:
    """What is asked of one alone, as the other has ended or taken nothing, is not compared."""
    differences = tuple(_differences(program, here, there))
    return Result(here[PUSH].is_ok, there[PUSH].is_ok, len(here.keys() & there), differences)


def _differences(program: str, here: Answers, there: Answers) -> Iterator[Difference]:
    for request, answer in here.items():
        if request in there and not answer.is_like(there[request]):
            yield Difference(program, request, answer, there[request])

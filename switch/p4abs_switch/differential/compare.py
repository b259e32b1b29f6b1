"""One program on both switches: random cases, each difference made small. On the engine it runs as
instructions, and as machine code.

BMv2's behavior may depend on old values of invalid headers, on unset variables and on the time.
What it does by such chance is not compared.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from p4abs_switch._engine import Switch
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.bmv2.document import parsed
from p4abs_switch.differential.bmv2 import Bmv2, Bmv2Died
from p4abs_switch.differential.cases import random_case
from p4abs_switch.differential.minimize import minimize
from p4abs_switch.differential.observation import Died, Observation, differences, observe
from p4abs_switch.stf.names import Names
from p4abs_switch.stf.statements import Statement
from p4abs_switch.stf.tested import Virtual

_MAX_DEATHS = 20  # each takes seconds


@dataclass(frozen=True, slots=True)
class Finding:
    """A small case on which the switches differ, how, and what BMv2 does."""

    statements: Sequence[Statement]
    differences: Sequence[str]
    expected: Observation


class Comparison:
    """A program on the engine and on BMv2. Raises EngineError when one of them refuses it."""

    def __init__(self, program: bytes, bmv2: Bmv2) -> None:
        Switch.verify(program)
        bmv2.load(program)
        self._program = program
        self._names = Names(derive(program), {})
        self._document = parsed(program)
        self._bmv2 = bmv2
        self._deaths = 0

    def findings(self, seed: str, cases: int) -> Iterator[Finding]:
        """Runs random cases and yields what differs. Raises Bmv2Died."""
        for number in range(cases):
            case = random_case(f"{seed}/{number}", self._names, self._document)
            statements = self._survived(case)
            if self._compare(statements)[0]:
                finding = self._smallest(statements)
                if finding.differences:  # not so when it was chance
                    yield finding

    def _survived(self, statements: Sequence[Statement]) -> Sequence[Statement]:
        """A case without the statements that kill BMv2. Raises Bmv2Died."""
        while True:
            try:
                self._on_bmv2(statements)
                return statements
            except Died as death:
                self._bmv2.restart()
                self._deaths += 1
                if self._deaths > _MAX_DEATHS:
                    raise Bmv2Died(
                        f"BMv2 crashes on this program again and again: {death}"
                    ) from None
                statements = [s for s in statements if s.line != death.line]

    def _smallest(self, statements: Sequence[Statement]) -> Finding:
        small = minimize(statements, lambda part: bool(self._compare(part)[0]))
        return Finding(small, *self._compare(small))

    def _compare(self, statements: Sequence[Statement]) -> tuple[list[str], Observation]:
        """What differs, and what BMv2 does; it is asked again only when something differs."""
        try:
            theirs = self._on_bmv2(statements)
            ours = [self._on_engine(statements, machine_code) for machine_code in (False, True)]
            lines = _all_differences(statements, ours, theirs)
            if lines:
                again = self._on_forgetful_bmv2(statements)
                lines = _all_differences(statements, ours, theirs, again)
        except Died:
            self._bmv2.restart()
            return [], Observation({}, {}, {})
        return lines, theirs

    def _on_engine(self, statements: Sequence[Statement], machine_code: bool) -> Observation:
        switch = Virtual(self._program, self._names.p4info, machine_code, queues=1)
        return observe(switch, self._names, statements)

    def _on_bmv2(self, statements: Sequence[Statement]) -> Observation:
        self._bmv2.load(self._program)
        return observe(self._bmv2, self._names, statements)

    def _on_forgetful_bmv2(self, statements: Sequence[Statement]) -> Observation:
        self._bmv2.forgets = True
        try:
            return self._on_bmv2(statements)
        finally:
            self._bmv2.forgets = False


def _all_differences(
    statements: Sequence[Statement],
    ours: Sequence[Observation],
    theirs: Observation,
    again: Observation | None = None,
) -> list[str]:
    """Those of each way to run on the engine; what both ways do is told once."""
    found = (differences(statements, one, theirs, again) for one in ours)
    return list(dict.fromkeys(chain.from_iterable(found)))

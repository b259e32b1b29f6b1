"""What PTF said, test by test."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from conformance.outcome import Outcome

_TEST = re.compile(r"^(?:\w+\.)+(\w+) \.\.\. ", re.MULTILINE)
_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
_END = re.compile(r"^(?P<status>OK|FAILED)\b(?:.*\bskipped=(?P<skipped>\d+))?", re.MULTILINE)
_FAILURE = re.compile(r"^(?:FAIL|ERROR): (?:\w+\.)+(\w+)$", re.MULTILINE)
_RAISED = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception)\b.*(?:(?<=:)\n\s+\S.*)?$", re.MULTILINE)
_UNTOLD_END = "PTF does not say how its tests ended"


@dataclass(frozen=True)
class Verdict(Outcome):
    """How tests ended.

    tests: those that began.
    failures: of each that failed, why.
    skipped: how many left themselves out.
    broken: why PTF gave no verdict; None if it gave one.
    """

    tests: tuple[str, ...] = ()
    failures: dict[str, str] = field(default_factory=dict)
    skipped: int = 0

    @property
    def passed(self) -> bool:
        """Whether tests ran and none failed."""
        return self.broken is None and not self.failures

    def told(self) -> Iterator[str]:
        """What failed, in PTF's words."""
        if self.broken is not None:
            yield self.broken
        else:
            yield from (f"{test}: {reason}" for test, reason in self.failures.items())

    def _shows_less_than(self, other: Outcome) -> bool:
        others: Mapping[str, str] = other.failures if isinstance(other, Verdict) else {}
        return not self.failures.keys() <= others.keys()

    def __str__(self) -> str:
        if self.passed:
            return "passed"
        return f"failed: {', '.join(self.failures)}" if self.failures else "failed"


def read(said: str) -> Verdict:
    """Reads what a script printed, in which PTF may run its tests one by one.

    Tests that did not run, or not to the end, are no success.
    """
    tests = tuple(_TEST.findall(said))
    failures: dict[str, str] = {}
    skipped = count = position = 0
    for ran in _RAN.finditer(said):
        end = _END.search(said, ran.end())
        failed = _failures(said[position : ran.start()])
        if end is None or (end["status"] == "OK") == bool(failed):
            return Verdict(tests, broken=_UNTOLD_END)
        failures |= failed
        skipped += int(end["skipped"] or 0)
        count += int(ran[1])
        position = end.end()
    if count == 0:
        return Verdict(tests, broken=_last_raised(said) or "PTF ran no tests")
    if count == skipped:
        return Verdict(tests, skipped=skipped, broken="all tests left themselves out")
    if count < len(tests):
        return Verdict(tests, broken=_last_raised(said[position:]) or _UNTOLD_END)
    return Verdict(tests, failures, skipped)


def _failures(said: str) -> dict[str, str]:
    _, *parts = _FAILURE.split(said)
    reasons = (_last_raised(text) or "no reason is told" for text in parts[1::2])
    return dict(zip(parts[::2], reasons, strict=True))


def _last_raised(text: str) -> str | None:
    """The line that ends the last traceback, with the next one if it ends with a colon."""
    raised = _RAISED.findall(text)
    return " ".join(raised[-1].split()) if raised else None

"""What PTF said, test by test."""

import re
from dataclasses import dataclass, field

_TEST = re.compile(r"^(?:\w+\.)+(\w+) \.\.\. ", re.MULTILINE)
_RAN = re.compile(r"^Ran (\d+) tests? in ", re.MULTILINE)
_END = re.compile(r"^(?:OK|FAILED)\b", re.MULTILINE)
_FAILURE = re.compile(r"^(?:FAIL|ERROR): (?:\w+\.)+(\w+)$", re.MULTILINE)
_RAISED = re.compile(r"^[A-Za-z_][\w.]*(?:Error|Exception)\b.*(?:(?<=:)\n\s+\S.*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """How a demonstration ended.

    tests: those that began.
    failures: of each that failed, why.
    broken: why PTF gave no verdict; None if it gave one.
    """

    tests: tuple[str, ...] = ()
    failures: dict[str, str] = field(default_factory=dict)
    broken: str | None = None

    @property
    def passed(self) -> bool:
        """Whether tests ran and none failed."""
        return self.broken is None and not self.failures

    def __str__(self) -> str:
        if self.passed:
            return "passed"
        return f"failed: {', '.join(self.failures)}" if self.failures else "failed"


def read(said: str) -> Verdict:
    """Reads what a script printed. Tests that did not run, or not to the end, are no success."""
    tests = tuple(_TEST.findall(said))
    ran = _RAN.search(said)
    if ran is None or int(ran[1]) == 0:
        return Verdict(tests, broken=_last_raised(said) or "PTF ran no tests")
    end = _END.search(said, ran.end())
    failures = _failures(said[: ran.start()])
    if end is None or (end[0] == "OK") == bool(failures):
        return Verdict(tests, broken="PTF does not say how its tests ended")
    return Verdict(tests, failures)


def _failures(said: str) -> dict[str, str]:
    _, *parts = _FAILURE.split(said)
    reasons = (_last_raised(text) or "no reason is told" for text in parts[1::2])
    return dict(zip(parts[::2], reasons, strict=True))


def _last_raised(text: str) -> str | None:
    """The line that ends the last traceback, with the next one if it ends with a colon."""
    raised = _RAISED.findall(text)
    return " ".join(raised[-1].split()) if raised else None

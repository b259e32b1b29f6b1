"""What a check has found."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from p4abs.queues import format_ports

NO_PROGRAM = "the switch runs no program yet"


class Outcome(StrEnum):
    """Shown to people as it is."""

    OK = "ok"
    DIFFERS = "differs"
    NOT_CHECKED = "not checked"
    NO_ANSWER = "no answer"


@dataclass(frozen=True)
class Finding:
    """One line for people; `ports` are those that it is about, none for the whole switch."""

    outcome: Outcome
    check: str
    text: str
    ports: tuple[int, ...] = ()

    def __str__(self) -> str:
        about = f"{format_ports(self.ports)}: " if self.ports else ""
        return f"{self.outcome:<11}  {self.check}: {about}{self.text}"


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """What is the same of several ports becomes one finding, at the place of the first."""
    ports: dict[tuple[Outcome, str, str], list[int]] = {}
    for finding in findings:
        ports.setdefault((finding.outcome, finding.check, finding.text), []).extend(finding.ports)
    return [Finding(*key, tuple(numbers)) for key, numbers in ports.items()]

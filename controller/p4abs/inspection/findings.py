"""What a check has found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from p4abs.p4_constants import PORT_COUNT
from p4abs.queues import QueueAddress, format_ports, ranges_of

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
        about = f"{_called(self.ports)}: " if self.ports else ""
        return f"{self.outcome:<11}  {self.check}: {about}{self.text}"


def _called(indices: Sequence[int]) -> str:
    """These ports, for example `ports 1-2, port 3, port 3 queue 7`, or `ports 1-4 queue 0, ports
    1-4 queue 7`. SwitchSettings.named() completes the names of single ports."""
    queues = [index for index in indices if index >= PORT_COUNT]
    with_queues = {QueueAddress.at(index).port for index in queues}
    first = [index for index in indices if index in with_queues]
    alone = [index for index in indices if index < PORT_COUNT and index not in with_queues]
    each = [f"ports {at} queue 0" if "-" in at else f"port {at}" for at in ranges_of(first)]
    each += [f"ports {at}" if "-" in at else f"port {at}" for at in ranges_of(queues)]
    return ", ".join([format_ports(alone), *each] if alone else each)


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """What is the same of several ports becomes one finding, at the place of the first."""
    ports: dict[tuple[Outcome, str, str], list[int]] = {}
    for finding in findings:
        ports.setdefault((finding.outcome, finding.check, finding.text), []).extend(finding.ports)
    return [Finding(*key, tuple(numbers)) for key, numbers in ports.items()]

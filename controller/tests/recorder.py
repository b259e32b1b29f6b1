"""What a controller tells, kept."""

from dataclasses import dataclass, field

from p4abs.control import Sample, Samples
from p4abs.session import Message


@dataclass
class Recorder:
    """The Events of a test (p4abs/session/events.py)."""

    lines: list[str] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    ticks: int = 0

    def announce(self, message: Message) -> None:
        self.lines.append(str(message))

    def sampled(self, samples: Samples) -> None:
        self.samples.extend(samples)

    def tick(self) -> None:
        self.ticks += 1

    def said(self, text: str) -> bool:
        return any(text in line for line in self.lines)

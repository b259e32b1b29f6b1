"""The packages whose errors users read, and the text that lists the messages of each."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class House:
    """A Python package and the file of its messages, relative to the repository."""

    package: Path
    messages: Path
    tests: str

    @property
    def update(self) -> str:
        """The command that adds what the tests cause, and removes what no source says any more."""
        return f"python -m pytest -p checks.messages.recording {self.tests}"


HOUSES = tuple(
    House(Path(package), Path(tests, "messages.txt"), tests)
    for package, tests in (
        ("controller/p4abs", "controller/tests"),
        ("switch/p4abs_switch", "switch/tests"),
        ("demonstration/p4abs_demonstration", "demonstration/tests"),
        ("experiments/p4abs_experiments", "experiments/tests"),
    )
)

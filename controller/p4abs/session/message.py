"""What is said to people."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    """One line, about a switch by its name or about the run as a whole."""

    text: str
    switch: str | None = None
    is_trouble: bool = False

    def __str__(self) -> str:
        return self.text if self.switch is None else f"{self.switch}: {self.text}"

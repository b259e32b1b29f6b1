"""What the user sees while the demonstration runs: a bar, or plain lines without a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from p4abs_demonstration.measure.phases import Phase, Statistics

LINE_EVERY_S = 5.0
BAR_WIDTH = 16


class Display(Protocol):
    """Shows how far the demonstration is."""

    def say(self, text: str) -> None:
        """Something outside of the schedule happens, such as the set-up."""
        ...

    def show(self, time_s: float, phase: Phase, now: Statistics | None) -> None:
        """The schedule has come to `time_s`; `now` is what was measured in the last second."""
        ...


class Bar:
    """One line that moves."""

    def __init__(self, progress: Progress, duration_s: float) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=duration_s)

    def say(self, text: str) -> None:
        self._progress.console.print(text)

    def show(self, time_s: float, phase: Phase, now: Statistics | None) -> None:
        self._progress.update(self._task, completed=time_s, description=status(phase, now))


class Lines:
    """One line every few seconds."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._next_s = 0.0

    def say(self, text: str) -> None:
        self._console.print(text, soft_wrap=True)

    def show(self, time_s: float, phase: Phase, now: Statistics | None) -> None:
        if time_s >= self._next_s:
            self._next_s = time_s + LINE_EVERY_S
            self.say(f"{time_s:5.1f} s  {status(phase, now)}")


@contextmanager
def display(console: Console, duration_s: float) -> Iterator[Display]:
    if not console.is_terminal:
        yield Lines(console)
        return
    columns = (
        BarColumn(bar_width=BAR_WIDTH),
        TextColumn("{task.completed:.0f}/{task.total:.0f} s  {task.description}"),
    )
    with Progress(*columns, console=console) as progress:
        yield Bar(progress, duration_s)


def status(phase: Phase, now: Statistics | None) -> str:
    """For example `abs takes over: utilization 98.1%  loss 2.0%  limit 131 kB  delay 96 ms`."""
    if now is None:
        return f"{phase.title} ..."
    return (
        f"{phase.title}: utilization {now.utilization:.1%}  loss {now.loss:.1%}  "
        f"limit {now.mean_limit_bytes / 1e3:.0f} kB  delay {now.queue_delay_p50_s * 1e3:.0f} ms"
    )

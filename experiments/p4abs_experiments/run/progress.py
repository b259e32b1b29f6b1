"""How far a run is and how long it will take."""

from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.run.process import place_of

_GUESSED_S_PER_PACKET = 1.3e-5
"""Until one is measured: of TCP at 10 to 1000 Mb/s through the P4 program."""


class TimeLeft:
    """Wall time left, from that of the finished cells, weighted by their packets.

    `workers` cells run at the same time.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._packets_left = 0.0
        self._packets_done = 0.0
        self.spent_s = 0.0

    def expect(self, packets: float) -> None:
        """More (or, negative, less) work has turned up."""
        self._packets_left += packets

    def finish(self, packets: float, wall_s: float) -> None:
        self._packets_left -= packets
        self._packets_done += packets
        self.spent_s += wall_s

    @property
    def seconds(self) -> float:
        """The estimate; what is under way counts as not begun."""
        return self.processor_s / self.workers

    @property
    def processor_s(self) -> float:
        """The same on one processor."""
        pace = self.spent_s / self._packets_done if self._packets_done else _GUESSED_S_PER_PACKET
        return max(0.0, self._packets_left * pace)


class ProgressView:
    """Shows a bar with the time left on a terminal, a line per finished cell elsewhere."""

    def __init__(self, console: Console, workers: int) -> None:
        self._console = console
        self._left = TimeLeft(workers)
        self._cells = 0
        self.finished_cells = 0
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("cells, about {task.fields[left]} left"),
            console=console,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("simulating", total=0, left="?")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._progress.stop()

    def expect(self, packets: float) -> None:
        self._left.expect(packets)

    def wanted(self, cell: Cell) -> None:
        """A cell has to be simulated."""
        self._cells += 1
        self._left.expect(cell.packets)
        self._show()

    def begun(self) -> None:
        """What is wanted from the start is known."""
        if self._cells:
            total = readable(self._left.processor_s)
            self.say(
                f"{self._cells} simulations to begin with, and those of searches: about {self.left}"
                f" on {self._left.workers} processors, {total} one by one"
            )

    def finished(self, cell: Cell, wall_s: float) -> None:
        self.finished_cells += 1
        self._left.finish(cell.packets, wall_s)
        self._show()
        line = f"{place_of(cell)}: {wall_s:.1f} s"
        if not self._console.is_terminal:
            line += f" ({self.finished_cells}/{self._cells}, about {self.left} left)"
        self.say(line)

    def failed(self, cell: Cell, error: BaseException) -> None:
        self._left.expect(-cell.packets)
        self.say(f"failed: {error}")

    def say(self, line: str) -> None:
        self._console.print(line, highlight=False, markup=False, soft_wrap=True)

    @property
    def left(self) -> str:
        """The time left, for people."""
        return readable(self._left.seconds)

    @property
    def spent_s(self) -> float:
        """What the finished cells took, on one processor."""
        return self._left.spent_s

    def _show(self) -> None:
        self._progress.update(
            self._task, total=self._cells, completed=self.finished_cells, left=self.left
        )


def readable(seconds: float) -> str:
    """A time as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

"""How long the runs took that a results folder was made by."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

RUNS_FILE = "runs.json"


@dataclass(frozen=True, slots=True)
class Run:
    """One run of `p4abs experiment`, complete or interrupted: the command, how many simulations it
    finished on how many processes at a time, and what they took: `processor_s` is the sum of their
    times, each on the clock."""

    command: str
    processes: int
    simulations: int
    processor_s: float
    wall_s: float


def add_run(folder: Path, run: Run) -> None:
    """Appends to the folder's list; a run that found everything in the store is no entry."""
    if run.simulations:
        path = folder / RUNS_FILE
        runs = [*read_runs(folder), run]
        folder.mkdir(parents=True, exist_ok=True)
        growing = path.with_suffix(".part")
        growing.write_text(json.dumps([asdict(each) for each in runs], indent=2) + "\n", "utf-8")
        growing.replace(path)


def read_runs(folder: Path) -> list[Run]:
    """The runs that are listed there; none without a list. Raises ValueError, TypeError."""
    path = folder / RUNS_FILE
    return [Run(**each) for each in json.loads(path.read_text("utf-8"))] if path.exists() else []

"""An exercise in namespaces of its own, which end with all that was started in them."""

from collections.abc import Callable
from pathlib import Path

from abstutorials.console import Console, ConsoleError
from abstutorials.exercises import Exercise
from abstutorials.lab import Lab, NotShown
from abstutorials.namespaces import alone
from abstutorials.switches import path_with
from abstutorials.workplace import Workplace

MININET_PROMPT = "mininet> "
START_PATIENCE_S = 120.0
_START = "ip link set lo up; exec make run"


def run(exercise: Exercise, switch: str, place: Workplace) -> str | None:
    """Runs an exercise's check on a switch: None if it passes, or else why it does not."""
    folder = place.copy(exercise.name, switch)
    try:
        _run(exercise.check, folder, path_with(switch, place.folder))
    except (ConsoleError, NotShown) as error:
        return str(error)
    return None


def _run(check: Callable[[Lab], None], folder: Path, path: str) -> None:
    with Console(alone("sh", "-c", _START), folder, path, MININET_PROMPT) as console:
        console.wait(START_PATIENCE_S)
        check(Lab(console, folder))
        console.leave("exit")

"""Series of ports that were under control in the simulator, see `recorded_ports` of experiments."""

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from p4abs.states import Judgement, PortState, Second, Wanted

FOLDER = Path(__file__).parent / "recorded"
NAMES = sorted(path.stem for path in FOLDER.glob("*.csv"))
WANTED = Wanted(np.array([0.98]), np.array([0.02]))


def rows(name: str) -> list[dict[str, float]]:
    """A recorded port's seconds."""
    with (FOLDER / f"{name}.csv").open() as lines:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(lines)]


def second(
    offered_bytes: float,
    lost_bytes: float = 0.0,
    idle_s: float = 0.0,
    length_s: float = 1.0,
    known_s: float | None = None,
    at_memory: float = 0.0,
    at_max_delay: float = 0.0,
    at_max_limit: float = 0.0,
    by_others: float = 0.0,
    unreachable: float = 0.0,
    **_others: float,
) -> Second:
    """Of a port alone, in arrays of one."""
    return Second(
        np.ones(1),
        np.array([length_s]),
        np.array([length_s if known_s is None else known_s]),
        np.array([idle_s]),
        np.array([offered_bytes]),
        np.array([lost_bytes]),
        *(
            np.array([flag > 0])
            for flag in (at_memory, at_max_delay, at_max_limit, by_others, unreachable)
        ),
    )


def judged(seconds: Iterator[Second], wanted: Wanted = WANTED) -> list[PortState]:
    """The state after each second."""
    judgement, states = Judgement().over(1), []
    for each in seconds:
        judgement = judgement.after(each, wanted)
        states.append(PortState(judgement.state[0].item()))
    return states


def changes(states: list[PortState]) -> list[tuple[int, PortState]]:
    """After which seconds it was another one, and which."""
    before = [PortState.NO_TRAFFIC, *states]
    return [
        (number, state)
        for number, (was, state) in enumerate(zip(before, states, strict=False), 1)
        if state is not was
    ]

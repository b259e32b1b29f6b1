"""What was measured of a load under a limit or a law, once, and the file of it."""

import csv
from collections.abc import Iterable
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from typing import Self, get_type_hints

from kernel_tcp.loads import Load, Stretch


@dataclass(frozen=True)
class Row:
    """One measured stretch. `run` is the round of a live one, the random seed of a simulated one.

    Shares are fractions. `note` says why there is no result; empty where there is one.
    """

    congestion_control: str
    flows: int
    limit: str
    run: int
    utilization: float
    loss: float
    mean_limit_bytes: float
    note: str = ""

    @classmethod
    def of(cls, load: Load, stretch: Stretch, run: int, *measured: float) -> Self:
        utilization, loss, mean_limit_bytes = measured
        return cls(
            load.congestion_control,
            load.flows,
            stretch.name,
            run,
            round(utilization, 5),
            round(loss, 6),
            round(mean_limit_bytes),
        )

    @classmethod
    def without_result(cls, load: Load, stretch: Stretch, run: int, note: str) -> Self:
        nothing = (float("nan"),) * 3
        return cls(load.congestion_control, load.flows, stretch.name, run, *nothing, note)


def write(path: Path, rows: Iterable[Row]) -> None:
    """Replaces the file."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Row))
        writer.writerows(astuple(row) for row in rows)


def read(path: Path) -> list[Row]:
    """What `write` wrote; nothing where there is no file."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        kinds = get_type_hints(Row)
        return [
            Row(**{name: kind(each[name]) for name, kind in kinds.items()})
            for each in csv.DictReader(file)
        ]

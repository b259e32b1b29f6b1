"""`make repro-quick`: a slice of every experiment, compared with the numbers checked in.

Virtual time and written seeds make a table the same every time on one machine. Another compiler
or mathematical library may round differently, and TCP amplifies that: a table then differs as a
run with another seed would. The tolerances allow for it.

Only what is tested is simulated: `--experiments "NAME ..."` is for some. With UPDATE_SNAPSHOTS=1
the snapshots that are missing or differ are written.
"""

import csv
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from p4abs_experiments import command
from p4abs_experiments.output.table import COLUMNS
from p4abs_experiments.registry import EXPERIMENTS
from p4abs_experiments.size import Size
from rich.console import Console

SNAPSHOTS = Path(__file__).parent / "snapshots"

TOLERANCES = {
    "mean_limit_bytes": {"rel": 0.25, "abs": 3_000},
    "std_limit_bytes": {"rel": 0.4, "abs": 3_000},
    "limit_p50_bytes": {"rel": 0.25, "abs": 3_000},
    "limit_p99_bytes": {"rel": 0.4, "abs": 3_000},
    "limit_max_bytes": {"rel": 0.4, "abs": 3_000},
    "utilization": {"abs": 0.03},
    "loss": {"rel": 0.4, "abs": 0.003},
    "queue_delay_p50_s": {"rel": 0.4, "abs": 0.003},
    "queue_delay_p99_s": {"rel": 0.4, "abs": 0.003},
}
"""Every other column has to be the same."""


@pytest.fixture(scope="module")
def tables(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tables of the tested experiments are; every core has a simulation to run."""
    folder = tmp_path_factory.mktemp("quick")
    wanted = command.Request(
        names=tuple(
            item.callspec.params["name"]
            for item in request.session.items
            if item.path == request.path and "tables" in item.fixturenames
        ),
        size=Size.QUICK,
        jobs=os.cpu_count() or 1,
        scheduler=None,
        folder=folder,
        seeds=None,
        fresh=False,
    )
    command.run(wanted, Console())
    return folder / "experiments"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The experiments that are asked for."""
    if "name" in metafunc.fixturenames:
        chosen = command.selected(metafunc.config.getoption("--experiments").split())
        metafunc.parametrize("name", [experiment.name for experiment in chosen])


def test_the_table_is_the_one_checked_in(tables: Path, name: str) -> None:
    table, snapshot = tables / name / "table.csv", SNAPSHOTS / f"{name}.csv"
    found = [*differences(table, snapshot)]
    if found and os.environ.get("UPDATE_SNAPSHOTS"):
        snapshot.write_bytes(table.read_bytes())
    elif found:
        lines = "\n".join(found)
        update = f"UPDATE_SNAPSHOTS=1 make repro-quick EXPERIMENTS={name}"
        pytest.fail(f"{name}:\n{lines}\nif that is right: {update}", pytrace=False)


def test_no_snapshot_is_left_of_an_experiment_that_is_gone() -> None:
    assert {path.stem for path in SNAPSHOTS.glob("*.csv")} <= set(EXPERIMENTS)


def differences(table: Path, snapshot: Path) -> Iterator[str]:
    """What is not as it was, in words."""
    if not snapshot.exists():
        yield f"{snapshot.name} is missing"
        return
    measured, expected = rows_of(table), rows_of(snapshot)
    if len(measured) != len(expected):
        yield f"{len(measured)} rows instead of {len(expected)}"
    for number, (row, former) in enumerate(zip(measured, expected, strict=False), start=1):
        for column in COLUMNS:
            if not same(column, row[column], former.get(column)):
                yield (
                    f"row {number} ({row['scenario']}, {row['policy']}): {column} is "
                    f"{row[column] or '-'} instead of {former.get(column) or '-'}"
                )


def same(column: str, value: str, former: str | None) -> bool:
    if value == former:
        return True
    if column not in TOLERANCES or not value or not former:
        return False
    return float(value) == pytest.approx(float(former), **TOLERANCES[column])

"""What a result depends on: the simulation, and all code that its process imports."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from p4abs_experiments.network import Pool
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.network.tofino import TofinoBuffer
from p4abs_experiments.run import code
from p4abs_experiments.run.code import (
    SIMULATORS,
    NotInstalled,
    code_that_runs,
    imported,
    key_of,
    simulator_of,
    source_code,
)
from p4abs_experiments.simulation.program import P4_PROGRAM
from p4abs_experiments.simulation.tofino.program import TOFINO_PROGRAM

REPOSITORY = Path(__file__).parents[3]

SIMULATE, SHARING, TOFINO = SIMULATORS

IMPORTED = (
    "p4abs.measurements",
    "p4abs.control.port_control",
    "p4abs.policies.abs.law",
    "p4abs.policies.adt",
    "p4abs_experiments.network.scenario",
    "p4abs_experiments.simulation.record",
)


@pytest.fixture
def change(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Path], None]]:
    """Appends a statement to a file, as far as digests can see."""
    read = Path.read_bytes

    def change(changed: Path) -> None:
        assert changed.exists(), changed
        monkeypatch.setattr(
            Path, "read_bytes", lambda path: read(path) + b"\nx = 1\n" * (path == changed)
        )
        source_code.cache_clear()

    yield change
    source_code.cache_clear()


@pytest.mark.parametrize("module", IMPORTED)
def test_all_that_a_simulation_imports_matters(change: Callable[[Path], None], module: str) -> None:
    before = code_that_runs(SIMULATE), source_code(SIMULATE)
    change(imported(SIMULATE)[module])
    assert code_that_runs(SIMULATE) != before[0]
    assert source_code(SIMULATE) != before[1]


@pytest.mark.parametrize(
    ("simulator", "module"),
    [
        (SHARING, "p4abs_experiments.simulation.sharing.simulate"),
        (TOFINO, "p4abs_experiments.simulation.tofino.simulate"),
        (TOFINO, "p4abs.targets.tofino.replies"),
    ],
)
def test_what_only_some_cells_take_matters_to_them_alone(
    change: Callable[[Path], None], simulator: str, module: str
) -> None:
    before = source_code(SIMULATE), source_code(simulator)
    change(imported(simulator)[module])
    assert source_code(SIMULATE) == before[0]
    assert source_code(simulator) != before[1]


def test_a_cell_is_simulated_by_what_its_links_take(scenario) -> None:
    plain = scenario(policy="abs")
    pooled = replace(plain, pools=(Pool("memory", 90_000, ("bottleneck",)),))
    behind = replace(plain, links=(replace(plain.link(), buffer=TofinoBuffer()),))
    assert [simulator_of(Cell(each)) for each in (plain, pooled, behind)] == [*SIMULATORS]


@pytest.mark.parametrize(
    "file",
    [
        "experiments/ns3/tcp/cubic.cc",
        "experiments/ns3/network/port.h",
        "experiments/tofino/queue_disc.cc",
        "switch/codegen/src/builder/mod.rs",
        "switch/pipeline/src/machine/mod.rs",
        "switch/capi/include/p4abs_pipeline.h",
    ],
)
def test_what_compiled_modules_are_made_from_stands_for_them_in_results(
    change: Callable[[Path], None], file: str
) -> None:
    before = code_that_runs(SIMULATE), source_code(SIMULATE)
    change(REPOSITORY / file)
    assert code_that_runs(SIMULATE) == before[0]
    assert source_code(SIMULATE) != before[1]


def test_a_compiled_module_matters_to_what_this_machine_keeps(
    change: Callable[[Path], None],
) -> None:
    before = code_that_runs(SIMULATE), source_code(SIMULATE)
    change(imported(SIMULATE)["p4abs_experiments._ns3"])
    assert code_that_runs(SIMULATE) != before[0]
    assert source_code(SIMULATE) == before[1]


@pytest.mark.parametrize("program", [P4_PROGRAM, TOFINO_PROGRAM])
def test_the_p4_programs_matter(change: Callable[[Path], None], program: Path) -> None:
    before = code_that_runs(SIMULATE), source_code(SIMULATE)
    change(program)
    assert code_that_runs(SIMULATE) != before[0]
    assert source_code(SIMULATE) != before[1]


def test_what_no_simulation_imports_does_not_matter() -> None:
    ours = ("p4abs.telemetry", "p4abs.cli", "p4abs.session", "p4abs_experiments.papers")
    assert not [name for name in imported(SIMULATE) if name.startswith(ours)]


@pytest.mark.parametrize(
    ("text", "is_same"),
    [
        ('"""What it is."""\n\ndef half(value):\n    return value / 2\n', True),
        ('def half(value):\n    """Half of it."""\n    return value / 2  # exact\n', True),
        ('HALF = 2\n"""Why."""\ndef half(value):\n    return value / 2\n', False),
        ("def half(value):\n    return value / 3\n", False),
        ("def half(value):\n  return value / 2\nhalf(2)\n", False),
        ("def half(value):\n    return 'value / 2'\n", False),
    ],
)
def test_of_python_only_statements_matter(text: str, is_same: bool) -> None:
    first = b"\ndef half(value):\n    return value / 2\n"
    assert (code._statements(first) == code._statements(text.encode())) is is_same


def test_labels_do_not_matter(scenario) -> None:
    cell = Cell(scenario(name="one"))
    labelled = Cell(scenario(name="two"), policy="stanford", paper=Paper(1, 2, 3))
    assert key_of(cell, "code") == key_of(labelled, "code")


def test_seed_limit_duration_and_code_matter(scenario) -> None:
    keys = {
        key_of(Cell(scenario()), "code"),
        key_of(Cell(scenario()), "other"),
        key_of(Cell(scenario(), seed=2), "code"),
        key_of(Cell(scenario(initial_limit_bytes=40_001)), "code"),
        key_of(Cell(scenario(duration_s=3.0)), "code"),
        key_of(Cell(scenario(policy="abs")), "code"),
        key_of(Cell(scenario(policy="abs", utilization=0.9)), "code"),
    }
    assert len(keys) == 7


def test_without_the_simulator_it_says_what_builds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "_IMPORTING", "raise ImportError('no _ns3')")
    imported.cache_clear()
    try:
        with pytest.raises(NotInstalled, match=r"no _ns3.*make setup"):
            imported(SIMULATE)
    finally:
        imported.cache_clear()
        assert sys.executable

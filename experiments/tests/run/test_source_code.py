"""What is recorded of the source code, and what counts as a change of it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from p4abs.policies import POLICIES
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.priorities import RankedPool
from p4abs_experiments.network.tofino import TofinoBuffer
from p4abs_experiments.run import imports, source_code
from p4abs_experiments.run.imports import source_of
from p4abs_experiments.run.source_code import (
    SHARING,
    SIMULATOR,
    TOFINO,
    UNRECORDED,
    changed_since,
    source_code_of,
)
from p4abs_experiments.simulation.program import P4_PROGRAM
from p4abs_experiments.simulation.tofino.program import TOFINO_PROGRAM

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
def recorded(scenario) -> dict[str, str]:
    """Of a fixed limit and of two laws."""
    return source_code_of(Cell(scenario(policy=each)) for each in ("static", "abs", "adt"))


@pytest.fixture
def change(monkeypatch) -> Callable[[Path], None]:
    """Changes a file, as far as digests can see."""
    code = source_code._code

    def change(changed: Path) -> None:
        assert changed.exists(), changed
        monkeypatch.setattr(
            source_code, "_code", lambda path: "" if path == changed else code(path)
        )

    return change


def test_the_simulator_and_the_laws_that_move_limits_are_recorded(recorded):
    assert list(recorded) == [SIMULATOR, "abs", "adt"]
    assert changed_since(recorded) == []


@pytest.mark.parametrize(
    "file",
    [
        REPOSITORY / "experiments/ns3/tcp/cubic.cc",
        REPOSITORY / "experiments/ns3/network/port.h",
        REPOSITORY / "switch/codegen/src/builder/mod.rs",
        REPOSITORY / "switch/pipeline/src/machine/mod.rs",
        REPOSITORY / "switch/capi/include/p4abs_pipeline.h",
        P4_PROGRAM,
        source_of("p4abs_experiments.simulation.simulate"),
        source_of("p4abs_experiments.network.scenario"),
    ],
    ids=lambda path: path.name,
)
def test_all_that_the_simulator_consists_of_matters(recorded, change, file):
    change(file)
    assert changed_since(recorded) == [SIMULATOR]


@pytest.fixture
def recorded_of_tofino(scenario) -> dict[str, str]:
    """Of a law whose link is behind a Tofino."""
    plain = scenario(policy="abs")
    return source_code_of(
        [Cell(replace(plain, links=(replace(plain.link(), buffer=TofinoBuffer()),)))]
    )


@pytest.mark.parametrize(
    "file",
    [
        REPOSITORY / "experiments/tofino/queue_disc.cc",
        TOFINO_PROGRAM,
        source_of("p4abs_experiments.simulation.tofino.control"),
        source_of("p4abs.targets.tofino.replies"),
    ],
    ids=lambda path: path.name,
)
def test_what_a_tofino_takes_matters_to_its_own_results(recorded, recorded_of_tofino, change, file):
    change(file)
    assert changed_since(recorded) == []
    assert changed_since(recorded_of_tofino) == [TOFINO]


@pytest.fixture
def recorded_of_priorities(scenario) -> dict[str, str]:
    """Of a law in a memory that is shared by priority."""
    pool = RankedPool("memory", 90_000, ("bottleneck",), priorities=(1,))
    return source_code_of([Cell(replace(scenario(policy="abs"), pools=(pool,)))])


@pytest.mark.parametrize(
    "module",
    [
        "p4abs.control.by_turns.ports_by_turns",
        "p4abs_experiments.network.priorities",
        "p4abs_experiments.simulation.sharing.simulate",
    ],
)
def test_what_priorities_take_matters_to_their_own_results(
    recorded, recorded_of_priorities, change, module
):
    change(source_of(module))
    assert changed_since(recorded) == []
    assert changed_since(recorded_of_priorities) == [SHARING]


def test_a_law_matters_to_its_own_results(recorded, change):
    change(source_of(POLICIES["abs"].__module__))
    assert changed_since(recorded) == ["abs"]


def test_the_control_loop_matters_to_every_law(recorded, change):
    change(source_of("p4abs.control.port_control"))
    assert changed_since(recorded) == ["abs", "adt"]


def test_a_law_that_is_no_more_has_changed(recorded):
    assert changed_since(recorded | {"forgotten": "digest"}) == ["forgotten"]


def test_nothing_recorded_is_no_record_of_today(recorded):
    assert changed_since({}) == [UNRECORDED]


@pytest.fixture
def uncompiled(monkeypatch) -> Iterator[None]:
    """The project as it is before anything is compiled."""
    monkeypatch.setattr(imports, "EXTENSION_SUFFIXES", [])
    for cached in (imports.source_of, imports._imported_by):
        cached.cache_clear()
    yield
    for cached in (imports.source_of, imports._imported_by):
        cached.cache_clear()


def test_the_compiled_module_does_not_matter(recorded, uncompiled):
    assert source_of("p4abs_experiments._ns3") is None
    assert changed_since(recorded) == []


STATEMENTS = """
def half(value):
    return value / 2
"""


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
def test_of_python_only_statements_matter(tmp_path, text, is_same):
    here, there = tmp_path / "here.py", tmp_path / "there.py"
    here.write_text(STATEMENTS)
    there.write_text(text)
    assert (source_code._code(here) == source_code._code(there)) == is_same

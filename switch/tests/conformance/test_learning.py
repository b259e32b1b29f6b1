"""The runner of p4-learning's labs: which it takes, what it reads, what it writes."""

from pathlib import Path

import pytest
from conformance.learning.labs import NetworkLab, find
from conformance.learning.pings import Pings, read
from conformance.page import lines as told
from conformance.table import LEARNING

NETWORKS = (
    "examples/ecmp/network.py",
    "examples/p4runtime/network.py",
    "exercises/02-Repeater/thrift/network.py",
    "exercises/02-Repeater/thrift/solution/network.py",
    "exercises/02-Repeater/p4runtime/solution/network.py",
    "exercises/05-ECMP/solution/network.py",
    "documentation/network.py",
)


@pytest.fixture
def learning(tmp_path: Path) -> Path:
    """A checkout with labs of all kinds."""
    for path in NETWORKS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("net.startNetwork()")
    return tmp_path


def test_examples_and_solved_exercises_over_thrift_are_taken(learning: Path) -> None:
    names = [lab.name for lab in find(learning)]
    assert names == ["examples/ecmp", "exercises/02-Repeater", "exercises/05-ECMP"]


def test_a_lab_is_copied_fresh(learning: Path, tmp_path: Path) -> None:
    lab, root = NetworkLab(learning, Path("examples/ecmp")), tmp_path / "copy"
    (lab.copy(root) / "ecmp.json").write_text("left behind")
    folder = lab.copy(root)
    assert [path.name for path in folder.iterdir()] == ["network.py"]


@pytest.mark.parametrize(
    ("said", "pings"),
    [
        ("h1 -> h2 X\n*** Results: 50% dropped (1/2 received)\n", Pings(1, 2)),
        ("*** Results: 100% dropped (0/12 received)\n", Pings(0, 12)),
        (
            "one\n*** Unknown command: pingall\n",
            Pings(broken="Mininet says '*** Unknown command: pingall'"),
        ),
        ("", Pings(broken="Mininet says 'nothing'")),
        ("h1 -> \n*** Warning: No packets sent\n", Pings(0, 0)),
        ("\x1b[01m\x1b[31mno\x1b[0m", Pings(broken="Mininet says 'no'")),
    ],
)
def test_pings_are_counted_as_mininet_counts_them(said: str, pings: Pings) -> None:
    assert read(said) == pings


ALL, SOME, NONE, BROKEN = Pings(2, 2), Pings(1, 2), Pings(0, 2), Pings(broken="has ended: a | b")


@pytest.mark.parametrize(
    ("here", "there", "worse"),
    [
        (ALL, ALL, False),
        (SOME, ALL, True),
        (ALL, SOME, False),
        (NONE, NONE, False),
        (BROKEN, NONE, True),
        (NONE, BROKEN, False),
        (BROKEN, BROKEN, False),
    ],
)
def test_less_than_on_bmv2_is_worse(here: Pings, there: Pings, worse: bool) -> None:
    assert here.is_worse_than(there) is worse


def test_the_table_has_a_row_for_every_lab(learning: Path) -> None:
    first, *_, last = labs = find(learning)
    outcomes = {first.name: {"": ALL, "BMv2": SOME}, last.name: {"": BROKEN, "BMv2": NONE}}
    written = "\n".join(told(LEARNING.section, labs, outcomes, {}))
    assert f"\n| {first.name} | 2 of 2 | 1 of 2 |\n" in written
    assert f"\n| {last.name} | broken: has ended: a \\| b | 0 of 2 |" in written

"""The runner of p4-learning's labs: which it takes, what it reads, what it writes."""

import json
from pathlib import Path

import pytest
from abslearning.labs import Lab, find
from abslearning.page import Results, is_worse, section
from abslearning.pings import Pings, read
from abstutorials.command import keep, on_each
from abstutorials.switches import (
    DROP_IN_WITHOUT_P4RUNTIME,
    STAND_INS_OVER_THRIFT,
    SWITCH_WITHOUT_P4RUNTIME,
    path_with,
)
from learning import main
from p4abs.cli import run

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
    lab, root = Lab(Path("examples/ecmp")), tmp_path / "copy"
    (lab.copy(learning, root) / "ecmp.json").write_text("left behind")
    folder = lab.copy(learning, root)
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


def results(here: Pings, there: Pings) -> Results:
    return {DROP_IN_WITHOUT_P4RUNTIME: here, SWITCH_WITHOUT_P4RUNTIME: there}


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
    assert is_worse(results(here, there)) is worse


def test_the_table_has_a_row_for_every_lab() -> None:
    written = section({"examples/ecmp": results(ALL, SOME), "exercises/x": results(BROKEN, NONE)})
    assert "\n| examples/ecmp | 2 of 2 | 1 of 2 |\n" in written
    assert "\n| exercises/x | broken: has ended: a \\| b | 0 of 2 |\n" in written


def test_the_path_has_the_drop_in_under_the_name_that_labs_call(tmp_path: Path) -> None:
    path = path_with(DROP_IN_WITHOUT_P4RUNTIME, tmp_path, STAND_INS_OVER_THRIFT)
    for called, program in STAND_INS_OVER_THRIFT.items():
        assert Path(path.split(":")[0], called).readlink().name == program
    path = path_with(SWITCH_WITHOUT_P4RUNTIME, tmp_path, STAND_INS_OVER_THRIFT)
    assert [link.name for link in Path(path.split(":")[0]).iterdir()] == ["sudo"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere", "--results", "/var/x"], "no checkout of nsg-ethz/p4-learning"),
        (["LEARNING", "--results", "/tmp/x"], "not below /tmp"),
        (["LEARNING", "--results", "/var/x", "--labs", "a"], "no lab 'a'; valid: examples/ecmp,"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_line(
    arguments: list[str], reason: str, learning: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [str(learning) if word == "LEARNING" else word for word in arguments]
    with pytest.raises(SystemExit) as ended:
        run(main, "learning", given)
    told = capsys.readouterr().err
    assert (ended.value.code, told.count("\n")) == (2, 1)
    assert reason in told


def test_what_comes_of_a_lab_is_told_and_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    on_each_switch = {"ours": Pings(1, 2), "theirs": None}
    outcomes = on_each("ecmp", ("ours", "theirs"), lambda switch: on_each_switch[switch])
    assert capsys.readouterr().out == "ecmp on ours: 1 of 2\necmp on theirs: passed\n"
    keep(tmp_path, "labs.json", {"ecmp": outcomes})
    pings = {"answered": 1, "sent": 2, "broken": None}
    kept = json.loads((tmp_path / "labs.json").read_text())
    assert kept == {"ecmp": {"ours": pings, "theirs": None}}

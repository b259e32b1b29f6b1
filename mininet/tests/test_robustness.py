"""Demonstrations in a row: which are run, what they are compared with, what counts as met."""

import io
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from absrobustness import compiler as load
from absrobustness.campaign import run
from absrobustness.cases import CASES, Case, check_duration, choose, in_a_row
from absrobustness.compiler import CompilerEnded, compiler
from absrobustness.demonstration import DEMO, DemonstrationFailed, command
from absrobustness.goals import Row, Verdict, judge, missed_goals
from absrobustness.tables import count, notes, table, write
from p4abs.errors import UserError
from p4abs_demonstration.settings import CONGESTION_CONTROLS, DISTURBANCE_LENGTHS_S
from rich.console import Console

TARGETS = {"utilization": 0.98, "loss": 0.02}
ROBUSTNESS = DEMO.with_name("robustness.py")
PATIENCE_S = 60.0


def summary(**changes: Any) -> dict[str, Any]:
    """Of a demonstration whose phases are all alike and on their loss target, unless changed."""
    phase: dict[str, Any] = {
        "disturbed": False,
        "missed_intervals": 0.0,
        "unseen_traffic": 0.0,
        "utilization": 1.0,
        "loss": 0.02,
        "binding": "loss",
        "mean_limit_bytes": 100_000,
        "max_limit_bytes": 120_000,
        "unreachable": "",
        "soon_limit_ratio": 1.2,
        "changes_load": False,
    }
    names = ("before", "abs", "half-load", "full-load")
    return {
        "targets": TARGETS,
        "phases": [phase | changes | {"name": name} for name in names],
    }


def test_names_are_unique_and_references_are_quiet_cases_that_come_before() -> None:
    seen: dict[str, Case] = {}
    for case in CASES:
        assert case.name not in seen
        if case.reference:
            assert not seen[case.reference].compiler
            assert not seen[case.reference].reference
        seen[case.name] = case


def test_the_list_has_each_congestion_control_each_disturbance_and_other_capacities() -> None:
    options = [case.options for case in CASES]
    assert {o.get("congestion-control") for o in options} >= set(CONGESTION_CONTROLS)
    assert {o.get("disturb") for o in options} >= set(DISTURBANCE_LENGTHS_S)
    assert sum("capacity-declared" in o for o in options) == 3
    assert any(case.compiler for case in CASES)


def test_cases_consist_of_options_that_the_demonstration_has() -> None:
    shown = subprocess.run(
        [sys.executable, str(DEMO), "--help"], capture_output=True, text=True, check=True
    ).stdout
    words = {word for case in CASES for word in command(case, 120, Path("results"))}
    assert all(word in shown for word in words if word.startswith("--"))


def test_what_a_chosen_case_is_compared_with_is_run_first() -> None:
    assert [case.name for case in choose(["stall"])] == ["reno-16", "stall"]
    assert choose([]) == list(CASES)


def test_an_unknown_case_is_refused_with_the_valid_ones() -> None:
    with pytest.raises(UserError, match="valid are reno-16, "):
        choose(["vegas-16"])


def test_runs_in_a_row_are_beside_a_compiler_and_compared_with_a_quiet_one() -> None:
    quiet, *rows = in_a_row([], 3)
    assert not quiet.compiler
    assert [case.compiler for case in rows] == [True] * 3
    assert {case.reference for case in rows} == {quiet.name}
    assert len({case.name for case in rows}) == 3


def test_runs_in_a_row_are_of_quiet_cases_by_name() -> None:
    reference, quiet, *rows = in_a_row(["stall"], 2)
    assert [case.name for case in (reference, quiet)] == ["reno-16", "stall"]
    assert [case.name for case in rows] == ["stall+compiler-1", "stall+compiler-2"]
    with pytest.raises(UserError, match=r"'stall\+compiler': valid are reno-16, .* flap$"):
        in_a_row(["stall+compiler"], 2)


def test_a_duration_that_leaves_no_time_for_a_disturbance_is_refused() -> None:
    check_duration(choose(["reno-16"]), 20)
    with pytest.raises(UserError, match="at least 100 s"):
        check_duration(choose(["pause"]), 60)


@pytest.mark.parametrize(
    ("utilization", "loss", "ratio", "missed"),
    [
        (1.0, 0.02, 1.0, ""),
        (0.98, 0.0, None, ""),
        (0.971, 0.001, None, ""),
        (0.989, 0.001, 1.29, ""),
        (0.969, 0.02, 1.0, "utilization too low"),
        (1.0, 0.0231, None, "loss too high"),
        (1.0, 0.0169, None, "limit too large for either target"),
        (0.98, 0.01, 1.31, "limit above the reference's"),
    ],
)
def test_both_targets_must_hold_and_one_of_them_must_bind(
    utilization: float, loss: float, ratio: float | None, missed: str
) -> None:
    assert missed_goals(utilization, loss, TARGETS, ratio) == missed


def test_limits_are_compared_phase_by_phase_without_the_static_one() -> None:
    rows = judge("a", summary(mean_limit_bytes=120_000), summary())
    assert [row.phase for row in rows] == ["abs", "half-load", "full-load"]
    assert [row.ratio for row in rows] == pytest.approx([1.2] * 3)
    assert {row.verdict for row in rows} == {Verdict.MET}


def test_limits_soon_after_a_change_of_the_load_are_counted() -> None:
    found = [
        *judge("a", summary(), None),
        *judge("b", summary(changes_load=True), None),
        *judge("c", summary(changes_load=True, soon_limit_ratio=0.86), None),
    ]
    assert [row.soon for row in found] == [None] * 3 + [1.2] * 3 + [0.86] * 3
    assert "3 of 6 limits within 15 %" in count(found)
    assert "limits" not in count(found[:3])


def test_a_disturbed_phase_is_neither_met_nor_missed() -> None:
    disturbed = summary(disturbed=True, missed_intervals=0.2, mean_limit_bytes=None)
    row, *_ = judge("a", disturbed, summary())
    assert (row.verdict, row.ratio) == (Verdict.DISTURBED, None)
    assert "20.0% of intervals missed" in row.note
    row, *_ = judge("a", summary(), disturbed)
    assert (row.verdict, row.ratio) == (Verdict.MET, None)


def test_a_target_out_of_reach_is_named_and_still_missed() -> None:
    offered = "utilization 98%: sources offer 76%"
    row, *_ = judge("a", summary(utilization=0.76, loss=0, unreachable=offered), None)
    assert row.verdict is Verdict.MISSED
    assert row.note == f"utilization too low; unreachable: {offered}"


def test_a_demonstration_that_fails_does_not_stop_the_others(tmp_path: Path) -> None:
    def play(case: Case, _duration_s: float, _folder: Path) -> dict[str, Any]:
        if case.name == "a":
            raise DemonstrationFailed("status 1: no reason")
        return summary()

    found = run([Case("a"), Case("b", reference="a")], 60, tmp_path, play)
    (failed,), met = (rows for _, rows in found)
    assert (failed.verdict, failed.note) == (Verdict.FAILED, "status 1: no reason")
    assert [row.ratio for row in met] == [None] * 3


def rows() -> list[Row]:
    """Three of each kind."""
    return [
        *judge("reno-16+compiler-20", summary(binding="utilization"), summary()),
        *judge("b", summary(loss=0.03), None),
        *judge("c", summary(disturbed=True, missed_intervals=0.2), None),
        Row("d", "-", Verdict.FAILED, "status 1: no reason"),
    ]


def test_the_table_fits_80_columns_and_says_what_was_missed() -> None:
    output = io.StringIO()
    Console(width=80, file=output).print(table(rows()))
    text = output.getvalue()
    assert "…" not in text
    assert text.count("Goal missed") == 3 + 1
    assert "3 of 10 phases met their goal, 3 Goal missed, 3 disturbed, 1 failed" in " ".join(
        text.split()
    )
    assert len(notes(rows())) == 7


def test_the_files_have_a_line_for_each_phase(tmp_path: Path) -> None:
    write(tmp_path, rows())
    text = (tmp_path / "robustness.md").read_text()
    assert text.count("Goal missed: loss too high") == 3
    found = json.loads((tmp_path / "robustness.json").read_text())
    assert len(found["phases"]) == len(rows())
    assert found["conclusion"] == count(rows())


def ended(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}/cwd").exists() for pid in pids)


def wait_until(condition: Callable[[], bool]) -> None:
    give_up_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < give_up_s


def test_the_compiler_ends_with_all_that_it_has_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(load, "_LOOP", f"sleep 600 & echo $$ $! >> {tmp_path}/pids; wait")
    with compiler():
        file = tmp_path / "pids"
        wait_until(lambda: file.exists() and file.read_text().endswith("\n"))
        pids = [int(word) for word in file.read_text().split()]
        assert not ended(pids)
    wait_until(lambda: ended(pids))  # what is killed has ended when it gets a processor


def test_a_compiler_that_ends_by_itself_is_no_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "_LOOP", "exit 1")
    processes: list[subprocess.Popen[bytes]] = []
    start = load._start

    def started(*arguments: Any) -> subprocess.Popen[bytes]:
        processes.append(start(*arguments))
        return processes[-1]

    monkeypatch.setattr(load, "_start", started)
    with pytest.raises(CompilerEnded, match="engine"), compiler():
        processes[0].wait()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--cases", "vegas-16"), "reno-16"),
        (("--runs", "many"), "many"),
        (("--duration", "1"), "at least"),
        (("--results", "/dev/null/results"), "/dev/null/results"),
    ],
)
def test_wrong_values_end_in_one_line_and_status_2(options: tuple[str, str], named: str) -> None:
    process = subprocess.run(
        [sys.executable, str(ROBUSTNESS), *options], capture_output=True, text=True
    )
    assert process.returncode == 2
    assert process.stderr.count("\n") == 1
    assert named in process.stderr

"""`p4abs experiment` from the command line to the results folder, with an instant simulation."""

import csv
import errno
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from p4abs.cli.main import main
from p4abs_experiments import command
from p4abs_experiments.campaign import Plan
from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.optimum import OptimumTask
from p4abs_experiments.experiment.seeds import SEEDS, seeds_of
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.run.code import is_todays
from p4abs_experiments.simulation.result import CellResult
from p4abs_experiments.size import Size


@dataclass(frozen=True, kw_only=True)
class Sweep(Experiment):
    """Three limits, and the static optimum."""

    scenario: Callable[..., Scenario]
    name: str = "seed000-sweep"
    title: str = "A sweep"
    source: str = "Nobody, Table 0"
    claim: str = "More is more."

    def cells(self) -> Sequence[Cell]:
        return [
            Cell(self.scenario(initial_limit_bytes=limit), paper=Paper(limit_packets=limit / 600))
            for limit in (20_000, 40_000, 80_000)
        ]

    def optima(self) -> Sequence[OptimumTask]:
        return [OptimumTask(self.scenario())]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {"figure0": Figure()}

    def findings(self, results: Results) -> Sequence[str]:
        return [f"{len(results.cells)} cells."]


@pytest.fixture
def workers(monkeypatch, scenario, instant_workers, by_limit):
    """The workers that the command uses; experiments are `seed000-sweep` and `seed001-other`."""
    sweep, other = Sweep(scenario=scenario), Sweep(scenario=scenario, name="seed001-other")
    monkeypatch.setattr(command, "EXPERIMENTS", {each.name: each for each in (sweep, other)})
    workers = instant_workers(by_limit)
    monkeypatch.setattr(command, "_workers", lambda request: workers)
    return workers


@pytest.fixture
def p4abs(tmp_path, capsys):
    """Runs the command line; gives its exit status and what it wrote to the two outputs."""

    def run(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as status:
            main(["experiment", "--results", str(tmp_path), *arguments])
        return (int(status.value.code or 0), *capsys.readouterr())

    return run


def table(tmp_path: Path, name: str = "seed000-sweep") -> list[dict[str, str]]:
    with (tmp_path / "experiments" / name / "table.csv").open() as file:
        return list(csv.DictReader(file))


def test_the_table_has_a_row_per_cell(workers, p4abs, tmp_path):
    assert p4abs("seed000-sweep")[0] == 0
    rows = table(tmp_path)
    assert [row["policy"] for row in rows] == ["static", "static", "static", "optimum"]
    assert [float(row["mean_limit_bytes"]) for row in rows[:3]] == [20_000, 40_000, 80_000]
    assert float(rows[0]["static_optimum_bytes"]) == pytest.approx(50_000, rel=0.03)
    assert float(rows[2]["ratio"]) == pytest.approx(1.6, rel=0.03)
    assert rows[0]["paper_limit_packets"] == "33.33333"
    assert rows[0]["paper_loss"] == rows[0]["queue_delay_p99_s"] == ""


def test_the_markdown_leaves_empty_columns_out(workers, p4abs, tmp_path):
    p4abs("seed000-sweep")
    text = (tmp_path / "experiments/seed000-sweep/table.md").read_text()
    assert "| limit (packets) |" in text
    assert "| printed: limit, utilization, loss |" in text
    assert "delay" not in text


def test_figures_findings_command_and_provenance_are_left(workers, p4abs, tmp_path):
    p4abs("seed000-sweep", "--seed", "3")
    folder = tmp_path / "experiments/seed000-sweep"
    assert {path.name for path in folder.iterdir()} == {
        *("table.csv", "table.md", "experiment.json", "provenance.json"),
        "optima.json",
        "figure0.png",
    }
    experiment = json.loads((folder / "experiment.json").read_text())
    assert experiment["findings"] == ["3 cells."]
    assert experiment["figures"] == ["figure0"]
    assert experiment["seeds"] == [3]
    assert is_todays(experiment["source_code"])
    assert experiment["command"] == "p4abs experiment seed000-sweep --size full --seed 3"
    provenance = json.loads((folder / "provenance.json").read_text())
    assert len(provenance) == experiment["cells"] == len(workers.ran)
    assert all(each["digest"] for each in provenance)
    assert provenance[0]["wall_s"] == 0.5
    assert provenance[0]["versions"] == {"p4abs": "0.1.0"}


def test_experiments_share_their_simulations(workers, p4abs, tmp_path):
    p4abs("seed000-sweep")
    alone = len(workers.ran)
    assert p4abs("all")[0] == 0
    assert len(workers.ran) == alone
    assert table(tmp_path, "seed001-other") == table(tmp_path)


def test_a_run_says_what_it_will_take_and_what_it_took(workers, p4abs, tmp_path):
    _, output, _ = p4abs("seed000-sweep")
    assert "3 simulations to begin with" in output
    assert f"{len(workers.ran)} simulations, " in output


def test_a_pattern_selects(workers, p4abs, tmp_path):
    p4abs("seed000-*")
    folders = [path.name for path in (tmp_path / "experiments").iterdir() if path.is_dir()]
    assert folders == ["seed000-sweep"]


def test_a_slice_is_a_table_of_its_cells(workers, p4abs, tmp_path):
    p4abs("seed000-sweep", "--size", "quick")
    assert [row["policy"] for row in table(tmp_path)] == ["static"]
    experiment = json.loads((tmp_path / "experiments/seed000-sweep/experiment.json").read_text())
    assert experiment["size"] == "quick"
    assert not any(experiment[name] for name in ("figures", "findings", "goals"))


def test_a_row_is_the_mean_over_the_seeds_asked_for(workers, p4abs, tmp_path):
    p4abs("seed000-sweep", "--seed", "1", "--seed", "2")
    assert [row["seeds"] for row in table(tmp_path)] == ["2"] * 4
    assert {cell.seed for cell in workers.ran} == {1, 2}


def test_optima_and_limits_that_a_policy_moves_are_run_with_several_seeds(
    workers, p4abs, tmp_path, scenario
):
    adapted = Sweep(scenario=lambda **sizing: scenario(policy="abs"), name="seed000-sweep")
    assert {cell.seed for cell in Plan(adapted, Size.FULL).cells()} == set(SEEDS)
    assert {cell.seed for cell in Plan(adapted, Size.QUICK).cells()} == {1}
    p4abs("seed000-sweep")
    assert [row["seeds"] for row in table(tmp_path)] == ["1", "1", "1", "5"]


@pytest.mark.parametrize(
    ("policy", "seeds"),
    [("abs", SEEDS), ("dql", SEEDS), ("abs-paper-abs", (7,)), ("adt", (7,))],
)
def test_laws_that_miss_by_far_are_run_once(scenario, policy, seeds):
    assert seeds_of(Cell(scenario(policy=policy), seed=7), SEEDS) == seeds


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("seed000-swep", "did you mean seed000-sweep?"),
        ("seed000", "did you mean 'seed000*'?"),
        ("figure9", "`p4abs experiment --list` lists all"),
    ],
)
def test_an_unknown_experiment_says_which_may_be_meant(workers, p4abs, name, hint):
    status, _, errors = p4abs(name)
    assert status == 2
    assert errors == f"p4abs: unknown experiment '{name}'; {hint}\n"


def test_an_experiment_that_moved_says_where_it_is(workers, p4abs):
    status, _, errors = p4abs("seed004-figure10")
    assert status == 2
    assert (
        errors == "p4abs: 'seed004-figure10' is now part of seed004-figures10-11; give that name\n"
    )


def test_no_experiment_at_all_is_refused(workers, p4abs):
    status, _, errors = p4abs()
    assert status == 2
    assert "give a name, a pattern or all; `p4abs experiment --list`" in errors


def test_results_that_cannot_be_written_are_refused_before_anything_is_simulated(
    workers, p4abs, tmp_path
):
    (tmp_path / "file").touch()
    status, _, errors = p4abs("all", "--results", str(tmp_path / "file" / "results"))
    assert status == 2
    assert errors == f"p4abs: {tmp_path}/file/results: Not a directory\n"


def test_an_interruption_keeps_what_is_finished(
    workers, p4abs, monkeypatch, instant_workers, by_limit
):
    def interrupted(cell: Cell) -> CellResult:
        if len(first.ran) == 3:
            raise KeyboardInterrupt
        return by_limit(cell)

    first = instant_workers(interrupted)
    monkeypatch.setattr(command, "_workers", lambda request: first)
    status, output, _ = p4abs("seed000-sweep")
    assert status == 130
    assert "start again" in output
    monkeypatch.setattr(command, "_workers", lambda request: workers)
    assert p4abs("seed000-sweep")[0] == 0
    finished = {str(cell) for cell in first.ran[:1]}
    assert not finished & {str(cell) for cell in workers.ran}


def test_fresh_simulates_again(workers, p4abs):
    p4abs("seed000-sweep")
    once = len(workers.ran)
    p4abs("seed000-sweep", "--fresh")
    assert len(workers.ran) == 2 * once


def test_the_list_names_every_experiment(p4abs):
    from p4abs_experiments.registry import EXPERIMENTS

    status, output, _ = p4abs("--list")
    assert status == 0
    assert [line.split()[0] for line in output.splitlines()] == list(EXPERIMENTS)


def test_a_missing_package_says_what_builds_it(p4abs, monkeypatch):
    monkeypatch.setitem(sys.modules, "p4abs_experiments", None)
    status, _, errors = p4abs("--list")
    assert status == 2
    assert "'make setup'" in errors
    assert errors.count("\n") == 1


def test_a_missing_simulator_says_which_package_brings_it(p4abs, monkeypatch):
    monkeypatch.setitem(sys.modules, "p4abs_experiments._ns3", None)
    monkeypatch.delitem(sys.modules, "p4abs_experiments.simulation.ns3", raising=False)
    monkeypatch.delattr("p4abs_experiments.simulation.ns3", raising=False)
    status, _, errors = p4abs("seed000-table3")
    assert status == 2
    assert "libns3-dev" in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("seeds", [("0",), ("4294967295",), ("2", "2"), ("one",)])
def test_random_seeds_that_say_nothing_are_refused_in_one_line(workers, p4abs, seeds):
    status, out, err = p4abs("seed000-sweep", *(f"--seed={seed}" for seed in seeds))
    assert (status, out) == (2, "")
    assert err.startswith("p4abs: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("place", ["cells", "experiments"])
def test_a_folder_that_is_a_file_is_named(workers, p4abs, tmp_path, place):
    (tmp_path / place).write_text("")
    status, _, err = p4abs("seed000-sweep")
    assert (status, err) == (2, f"p4abs: {tmp_path / place}: File exists\n")


def test_a_full_disk_is_named_by_the_file_that_did_not_fit(workers, p4abs, tmp_path, monkeypatch):
    def full(path: Path, _content: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    status, _, err = p4abs("seed000-sweep")
    assert status == 2
    assert str(tmp_path / "cells") in err
    assert "No space left on device" in err
    assert "Traceback" not in err


def test_optima_are_taken_from_a_folder_that_has_some(workers, p4abs, tmp_path):
    p4abs("seed000-sweep")
    results = tmp_path / "experiments"
    assert p4abs("seed000-sweep", "--optima", str(results))[0] == 0
    status, _, error = p4abs("seed000-sweep", "--optima", str(results / "seed000-sweep"))
    assert status == 2
    assert "seed000-sweep: no optima there" in error


def test_results_of_source_code_that_is_in_no_commit_are_said_to_be(workers, p4abs, monkeypatch):
    for commit, said in (("0123abcd", False), ("0123abcd-dirty", True)):
        monkeypatch.setattr(command, "versions", lambda commit=commit: {"commit": commit})
        output = p4abs("seed000-sweep")[1]
        assert ("results will be of 0123abcd-dirty" in output) == said

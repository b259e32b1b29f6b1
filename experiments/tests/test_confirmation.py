"""Results of other source code: a few simulations again, to the last bit."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from p4abs_experiments import confirmation
from p4abs_experiments.campaign import Measurement, Plan
from p4abs_experiments.confirmation import CannotConfirm, confirm
from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.optimum import OptimumTask
from p4abs_experiments.network import Scenario
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.digest import digest_of
from p4abs_experiments.run.code import SIMULATORS, is_todays
from p4abs_experiments.run.store import Store
from p4abs_experiments.simulation.result import CellResult
from p4abs_experiments.size import Size

NAME = "seed000-two"
OTHER = {next(iter(SIMULATORS)): "another's digest"}


@dataclass(frozen=True, kw_only=True)
class Two(Experiment):
    """A law and a fixed limit, with two seeds."""

    scenario: Callable[..., Scenario]
    name: str = NAME
    title: str = "Two"
    source: str = "Nobody, Table 0"
    claim: str = "None."

    def cells(self) -> Sequence[Cell]:
        shortest = partial(self.scenario, duration_s=0.02)
        return [Cell(shortest(policy="abs")), Cell(shortest())]

    def optima(self) -> Sequence[OptimumTask]:
        return []

    def figures(self, results: Results) -> Mapping[str, Figure]:
        return {}

    def findings(self, results: Results) -> Sequence[str]:
        return []


class TwoOfOneName(Two):
    """A law in a short run and in a longer one."""

    def cells(self) -> Sequence[Cell]:
        durations_s = 0.02, 0.04
        return [Cell(self.scenario(duration_s=each, policy="abs")) for each in durations_s]


def measured(folder: Path, experiment: Two, simulate: Callable[[Cell], CellResult]) -> Path:
    """The experiment's results, of other source code."""
    plan = Plan(experiment, Size.FULL, (1, 2))
    (job,) = Measurement(plan, lambda each: each.write(folder), lambda packets: None).jobs()
    cells = next(job)
    with pytest.raises(StopIteration):
        job.send([simulate(cell) for cell in cells])
    change(folder, OTHER)
    return folder


@pytest.fixture
def folder(tmp_path: Path, scenario, by_limit, monkeypatch) -> Path:
    """The results of `Two`."""
    experiment = Two(scenario=scenario)
    monkeypatch.setattr(confirmation, "EXPERIMENTS", {NAME: experiment})
    return measured(tmp_path / "results" / NAME, experiment, by_limit)


def facts(folder: Path) -> Any:
    return json.loads((folder / "experiment.json").read_text())


def change(folder: Path, source_code: Mapping[str, str]) -> None:
    """The results were made by other source code."""
    changed = facts(folder)
    changed["source_code"] = source_code
    (folder / "experiment.json").write_text(json.dumps(changed))


def confirmed(folder: Path, workers: Any, count: int = 9) -> confirmation.Confirmation:
    store = Store(folder.parent.parent / "store")
    (found,) = confirm(folder.parent, (), count, store, workers)
    return found


def test_simulations_that_go_as_they_went_make_results_todays(folder, instant_workers, by_limit):
    found = confirmed(folder, instant_workers(by_limit))
    assert found.outcome == "confirmed by 4 simulations"
    assert is_todays(facts(folder)["source_code"])
    assert [each["simulations"] for each in facts(folder)["confirmed"]] == [4]


def test_one_that_differs_in_its_last_bit_leaves_them_as_they_are(
    folder, instant_workers, by_limit
):
    def simulate(cell: Cell) -> CellResult:
        found = by_limit(cell)
        if cell.policy_label == "abs" and cell.seed == 2:
            link = found.links[0]
            found = replace(
                found, links=(replace(link, utilization=np.nextafter(link.utilization, 2)),)
            )
        return found

    before = facts(folder)
    found = confirmed(folder, instant_workers(simulate))
    assert found.outcome == ("1 of 4 simulations differ: dumbbell, abs, seed 2")
    assert facts(folder) == before


def test_simulations_of_one_name_are_compared_each_with_its_own(
    tmp_path, scenario, instant_workers, by_limit, monkeypatch
):
    def simulate(cell: Cell) -> CellResult:
        found = by_limit(cell)
        link = replace(found.links[0], utilization=cell.scenario.duration_s)
        return replace(found, links=(link,))

    experiment = TwoOfOneName(scenario=scenario)
    monkeypatch.setattr(confirmation, "EXPERIMENTS", {NAME: experiment})
    folder = measured(tmp_path / "results" / NAME, experiment, simulate)
    found = confirmed(folder, instant_workers(simulate))
    assert found.outcome == "confirmed by 4 simulations"


def test_what_is_of_todays_source_code_is_not_repeated(folder, instant_workers, by_limit):
    confirmed(folder, instant_workers(by_limit))
    workers = instant_workers(by_limit)
    assert confirmed(folder, workers).outcome == "of today's source code"
    assert workers.ran == []


def test_so_many_simulations_are_repeated_as_are_asked_for(folder, instant_workers, by_limit):
    workers = instant_workers(by_limit)
    confirmed(folder, workers, count=3)
    assert len(workers.ran) == 3


def test_each_policy_is_repeated_however_few_are_asked_for(folder):
    digests = [str(number) for number in range(20)]
    law, static = confirmation.EXPERIMENTS[NAME].cells()
    for digest in digests:
        others = [(static, other) for other in digests if other != digest]
        assert confirmation._sampled([*others, (law, digest)], 1) == [(law, digest)]


def test_each_scenario_is_repeated_however_few_are_asked_for(folder):
    law, _ = confirmation.EXPERIMENTS[NAME].cells()
    other = replace(law, scenario=replace(law.scenario, name="another"))
    cells = [(each, f"{each.scenario.name} {number}") for each in (law, other) for number in (1, 2)]
    chosen = confirmation._sampled(cells, 1)
    assert {cell.scenario.name for cell, _ in chosen} == {law.scenario.name, "another"}
    assert len(chosen) == 2


def test_a_policy_of_which_nothing_is_told_is_not_confirmed(folder, instant_workers, by_limit):
    entries = json.loads((folder / "provenance.json").read_text())
    (folder / "provenance.json").write_text(
        json.dumps([*entries, {**entries[0], "policy": "abs-1"}])
    )
    with pytest.raises(CannotConfirm, match=rf"{NAME}: no simulation of abs-1 .*anew"):
        confirmed(folder, instant_workers(by_limit))


def test_an_optimum_of_another_link_than_the_first_does_not_stand_in_the_way(
    folder, instant_workers, by_limit
):
    path = folder / "provenance.json"
    entries = json.loads(path.read_text())
    optimum = {**entries[0], "policy": "optimum", "limit_bytes": None}
    path.write_text(json.dumps([*entries, optimum]))
    assert confirmed(folder, instant_workers(by_limit)).outcome.startswith("confirmed")


def test_what_cannot_be_confirmed_keeps_nothing_else_from_it(folder, instant_workers, by_limit):
    other, moved = folder.with_name("seed000-gone"), folder.with_name("seed000-law-comparison")
    for each in (other, moved):
        shutil.copytree(folder, each)
    store = Store(folder.parent.parent / "store")
    outcomes = {
        each.folder.name: each.outcome
        for each in confirm(folder.parent, (), 9, store, instant_workers(by_limit))
    }
    assert outcomes == {
        NAME: "confirmed by 4 simulations",
        "seed000-gone": "not confirmed: there is no such experiment any more",
        "seed000-law-comparison": "not confirmed: there is no such experiment any more; it is now "
        "part of seed000-table2 and seed000-table3",
    }
    assert facts(other)["source_code"] == OTHER


def test_results_without_digests_are_refused_by_name(folder, instant_workers, by_limit):
    entries = json.loads((folder / "provenance.json").read_text())
    for entry in entries:
        del entry["digest"]
    (folder / "provenance.json").write_text(json.dumps(entries))
    with pytest.raises(CannotConfirm, match=f"{NAME}: no simulation of abs"):
        confirmed(folder, instant_workers(by_limit))


def test_a_name_that_no_results_have_is_refused(folder, instant_workers, by_limit, tmp_path):
    with pytest.raises(CannotConfirm, match="no results of experiments there; --results names"):
        confirm(tmp_path / "nowhere", [], 1, None, None)
    with pytest.raises(CannotConfirm, match=f"no results of seed009.* there; valid: {NAME}"):
        confirm(folder.parent, ("seed009*",), 1, Store(folder), instant_workers(by_limit))


@pytest.mark.parametrize("name", ["experiment.json", "provenance.json"])
@pytest.mark.parametrize("text", ["{", "{}", "[]", "[{}]", "[1]", '{"size": "huge", "seeds": [1]}'])
def test_a_file_that_is_no_result_is_refused_by_the_folders_name(
    folder, instant_workers, by_limit, name, text
):
    (folder / name).write_text(text)
    with pytest.raises(CannotConfirm, match=NAME):
        confirmed(folder, instant_workers(by_limit))


def test_the_digest_is_of_what_was_measured_not_of_how_long_it_took(result):
    found = result()
    assert digest_of(replace(found, wall_s=99.0, versions={})) == digest_of(found)
    (link,) = found.links
    uncounted = replace(link, series=replace(link.series, long_flow_us=np.empty(0)))
    assert digest_of(replace(found, links=(uncounted,))) == digest_of(found)
    series = replace(link.series, gains={"loss": link.series.gains["loss"] + 1e-15})
    others = [
        replace(found, window_s=2.0),
        replace(found, links=(replace(link, series=series),)),
        replace(found, links=(link, link)),
        replace(found, traffic=()),
    ]
    assert len({digest_of(each) for each in (found, *others)}) == 5

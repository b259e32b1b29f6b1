"""`p4abs confirm`: whether results that other source code gave are what today's gives.

A change that is to change nothing, such as a faster law, would otherwise send hours of simulations
through it again. Some simulations of each experiment are repeated with today's source code; where
each of them goes as it went, to the last bit, the experiment's results count as today's.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from p4abs.errors import UserError
from rich.console import Console

from p4abs_experiments.campaign import Plan
from p4abs_experiments.experiment.row import OPTIMUM
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import adaptive_policies, fixed_limit_bytes
from p4abs_experiments.output.digest import digest_of
from p4abs_experiments.registry import EXPERIMENTS, MOVED
from p4abs_experiments.run.code import is_todays, source_code_of
from p4abs_experiments.run.folder import make_folder
from p4abs_experiments.run.process import place_of
from p4abs_experiments.run.progress import ProgressView
from p4abs_experiments.run.reading import json_of, read_with
from p4abs_experiments.run.scheduler import Job, Scheduler
from p4abs_experiments.run.store import Store
from p4abs_experiments.run.workers import Workers
from p4abs_experiments.simulation.versions import versions
from p4abs_experiments.size import Size

_EXPERIMENT_FILE = "experiment.json"

_Place = tuple[str, str, int, int | None]
"""Of a simulation in its results: scenario, policy, random seed and fixed limit."""


class CannotConfirm(UserError):
    """No results are there, or none that tell what their simulations gave."""


@dataclass
class Confirmation:
    """One folder of results; `cells` with the digests that they had, and those that differ now.

    `unsupported` says why none can be repeated; without any the results are of today's code.
    """

    folder: Path
    cells: Sequence[tuple[Cell, str]] = ()
    differing: list[Cell] = field(default_factory=list)
    unsupported: str = ""

    def job(self) -> Job:
        results = yield [cell for cell, _ in self.cells]
        for (cell, digest), result in zip(self.cells, results, strict=True):
            if digest_of(result) != digest:
                self.differing.append(cell)

    @property
    def outcome(self) -> str:
        if self.unsupported:
            return f"not confirmed: {self.unsupported}"
        if not self.cells:
            return "of today's source code"
        if not self.differing:
            return f"confirmed by {len(self.cells)} simulations"
        cells = "; ".join(map(place_of, self.differing))
        return f"{len(self.differing)} of {len(self.cells)} simulations differ: {cells}"

    def write(self) -> None:
        """Records today's source code and that these simulations have confirmed it."""
        facts = read_with(json_of, self.folder / _EXPERIMENT_FILE, CannotConfirm)
        facts["source_code"] = source_code_of(cell for cell, _ in self.cells)
        confirmed = {"commit": versions()["commit"], "simulations": len(self.cells)}
        facts["confirmed"] = [*facts.get("confirmed", ()), confirmed]
        text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        (self.folder / _EXPERIMENT_FILE).write_text(text, encoding="utf-8")


def confirm(
    results: Path, names: Sequence[str], count: int, store: Store, workers: Workers
) -> list[Confirmation]:
    """Repeats `count` simulations of each experiment below `results` that other source code gave,
    or one of each scenario with each policy, where these are more.

    Experiments whose name matches none of `names` (patterns; none: all match) are left out. The
    folders of those that went as they did are updated. Raises CannotConfirm when there are none, or
    none of which anything can be repeated, UnusableFolder for the store's.
    """
    folders = [path.parent for path in sorted(results.glob(f"*/{_EXPERIMENT_FILE}"))]
    if not folders:
        raise CannotConfirm(
            f"{results}: no results of experiments there; --results names their folder"
        )
    found = [
        read_with(partial(_planned, count=count), folder, CannotConfirm)
        for folder in folders
        if not names or any(fnmatchcase(folder.name, name) for name in names)
    ]
    if not found:
        valid = ", ".join(folder.name for folder in folders)
        raise CannotConfirm(f"{results}: no results of {' '.join(names)} there; valid: {valid}")
    reasons = [f"{each.folder}: {each.unsupported}" for each in found if each.unsupported]
    if len(reasons) == len(found):
        raise CannotConfirm(reasons[0])
    stale = [each for each in found if each.cells]
    make_folder(store.folder)
    try:
        with ProgressView(Console(), workers.count) as view:
            Scheduler(store, workers, view).run([each.job() for each in stale])
    finally:
        workers.stop()
    for each in stale:
        if not each.differing:
            each.write()
    return found


def _planned(folder: Path, count: int) -> Confirmation:
    """Cells that were measured with other source code, the same ones each time."""
    facts = read_with(json_of, folder / _EXPERIMENT_FILE, CannotConfirm)
    size, seeds = Size(facts["size"]), tuple(facts["seeds"])
    if folder.name not in EXPERIMENTS:
        moved = f"; it is now part of {MOVED[folder.name]}" if folder.name in MOVED else ""
        return Confirmation(folder, unsupported=f"there is no such experiment any more{moved}")
    if is_todays(facts.get("source_code")):
        return Confirmation(folder)
    # Scenarios of one name, such as a long run and a short one, stand in the plan's order.
    digests: defaultdict[_Place, list[str]] = defaultdict(list)
    for entry in read_with(json_of, folder / "provenance.json", CannotConfirm):
        if "digest" in entry:
            place = entry["scenario"], entry["policy"], entry["seed"], entry["limit_bytes"]
            digests[place].append(entry["digest"])
    plan = Plan(EXPERIMENTS[folder.name], size, seeds).cells()
    cells = [(cell, digests[place].pop(0)) for cell in plan if digests[place := _place(cell)]]
    untold = _adapting(plan) - _adapting(cell for cell, _ in cells)
    # Where another link's optimum is searched, the first link's limit moves.
    known = {OPTIMUM, *(cell.policy_label for cell in plan)}
    gone = {policy for _, policy, _, limit in digests if limit is None and policy not in known}
    if not cells or untold or gone:
        policies = ", ".join(sorted(untold | gone)) or "any policy"
        return Confirmation(
            folder,
            unsupported=f"no simulation of {policies} can be repeated; "
            f"`p4abs experiment {folder.name}` measures it anew",
        )
    return Confirmation(folder, _sampled(cells, count))


def _adapting(cells: Iterable[Cell]) -> set[str]:
    """The policies that move a limit in any of the cells."""
    return {policy.name for cell in cells for policy in adaptive_policies(cell.scenario)}


def _sampled(cells: Sequence[tuple[Cell, str]], count: int) -> list[tuple[Cell, str]]:
    """At least so many where there are, and of every scenario one with each policy that moves a
    limit: a change may show in one of them only."""
    chosen: list[tuple[Cell, str]] = []
    rest: list[tuple[Cell, str]] = []
    seen: set[tuple[str, str]] = set()
    for entry in sorted(cells, key=_order):
        kinds = {(entry[0].scenario.name, policy) for policy in _adapting([entry[0]])}
        (rest if kinds <= seen else chosen).append(entry)
        seen |= kinds
    return chosen + rest[: max(0, count - len(chosen))]


def _place(cell: Cell) -> _Place:
    limit_bytes = fixed_limit_bytes(cell.scenario.link())
    return cell.scenario.name, cell.policy_label, cell.seed, limit_bytes


def _order(entry: tuple[Cell, str]) -> str:
    """Any, but always the same."""
    return hashlib.sha256(entry[1].encode()).hexdigest()

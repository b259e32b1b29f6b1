"""`p4abs confirm`: whether results that other source code gave are what today's gives.

A change that is to change nothing, such as a faster law, would otherwise send hours of simulations
through it again. Some simulations of each experiment are repeated with today's source code; where
each of them goes as it went, to the last bit, the experiment's results count as today's.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

from p4abs.errors import UserError
from rich.console import Console

from p4abs_experiments.campaign import Plan
from p4abs_experiments.experiment import Size
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.output.digest import digest_of
from p4abs_experiments.registry import EXPERIMENTS
from p4abs_experiments.run.folder import make_folder
from p4abs_experiments.run.process import place_of
from p4abs_experiments.run.progress import ProgressView
from p4abs_experiments.run.reading import json_of, read_with
from p4abs_experiments.run.scheduler import Job, Scheduler
from p4abs_experiments.run.source_code import (
    SIMULATOR,
    changed_since,
    parts_of,
    todays_digests,
)
from p4abs_experiments.run.store import Store
from p4abs_experiments.run.workers import Workers
from p4abs_experiments.simulation.versions import versions

_EXPERIMENT_FILE = "experiment.json"

_Place = tuple[str, str, int, int | None]
"""Of a simulation in its results: scenario, policy, random seed and fixed limit."""


class CannotConfirm(UserError):
    """No results are there, or none that tell what their simulations gave."""


@dataclass
class Confirmation:
    """One folder of results; `cells` with the digests that they had, and those that differ now.

    `hindrance` says why none can be repeated.
    """

    folder: Path
    changed: Sequence[str] = ()
    cells: Sequence[tuple[Cell, str]] = ()
    differing: list[Cell] = field(default_factory=list)
    hindrance: str = ""

    def job(self) -> Job:
        """What the scheduler is to run."""
        results = yield [cell for cell, _ in self.cells]
        for (cell, digest), result in zip(self.cells, results, strict=True):
            if digest_of(result) != digest:
                self.differing.append(cell)

    @property
    def outcome(self) -> str:
        """In one line."""
        if self.hindrance:
            return f"not confirmed: {self.hindrance}"
        if not self.changed:
            return "of today's source code"
        changed = ", ".join(self.changed)
        if not self.differing:
            return f"confirmed by {len(self.cells)} simulations ({changed} changed)"
        cells = "; ".join(map(place_of, self.differing))
        return (
            f"{len(self.differing)} of {len(self.cells)} simulations differ ({changed} changed): "
            f"{cells}"
        )

    def write(self) -> None:
        """Records today's source code and that these simulations have confirmed it."""
        facts = read_with(json_of, self.folder / _EXPERIMENT_FILE, CannotConfirm)
        facts["source_code"] |= todays_digests(self.changed)
        confirmed = {"commit": versions()["commit"], "simulations": len(self.cells)}
        facts["confirmed"] = [*facts.get("confirmed", ()), confirmed]
        text = json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
        (self.folder / _EXPERIMENT_FILE).write_text(text, encoding="utf-8")


def confirm(
    results: Path, names: Sequence[str], count: int, store: Store, workers: Workers
) -> list[Confirmation]:
    """Repeats `count` simulations of each experiment below `results` that other source code gave,
    or one of each scenario with each policy that has changed, where these are more.

    Experiments whose name matches none of `names` (patterns; none: all match) are left out. The
    folders of those that went as they did are updated. Raises CannotConfirm when there are none, or
    none of which anything can be repeated, UnusableFolder for the store's.
    """
    folders = [path.parent for path in sorted(results.glob(f"*/{_EXPERIMENT_FILE}"))]
    if not folders:
        raise CannotConfirm(f"{results}: no results of experiments there")
    found = [
        read_with(partial(_planned, count=count), folder, CannotConfirm)
        for folder in folders
        if not names or any(fnmatchcase(folder.name, name) for name in names)
    ]
    if not found:
        valid = ", ".join(folder.name for folder in folders)
        raise CannotConfirm(f"{results}: no results of {' '.join(names)} there; valid: {valid}")
    hindrances = [f"{each.folder}: {each.hindrance}" for each in found if each.hindrance]
    if len(hindrances) == len(found):
        raise CannotConfirm(hindrances[0])
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
    """Cells that the change could have changed, the same ones each time."""
    facts = read_with(json_of, folder / _EXPERIMENT_FILE, CannotConfirm)
    size, seeds = Size(facts["size"]), tuple(facts["seeds"])
    if folder.name not in EXPERIMENTS:
        return Confirmation(folder, hindrance="there is no such experiment any more")
    changed = changed_since(facts.get("source_code", {}))
    if not changed:
        return Confirmation(folder)
    # Scenarios of one name, such as a long run and a short one, stand in the plan's order.
    digests: defaultdict[_Place, list[str]] = defaultdict(list)
    for entry in read_with(json_of, folder / "provenance.json", CannotConfirm):
        if "digest" in entry:
            place = entry["scenario"], entry["policy"], entry["seed"], entry["limit_bytes"]
            digests[place].append(entry["digest"])
    plan = Plan(EXPERIMENTS[folder.name], size, seeds)
    cells = [
        (cell, digests[_place(cell)].pop(0))
        for cell in plan.cells()
        if digests[_place(cell)] and (SIMULATOR in changed or parts_of(cell) & {*changed})
    ]
    unseen = {*changed} - {SIMULATOR} - {name for cell, _ in cells for name in parts_of(cell)}
    if not cells or unseen:
        return Confirmation(
            folder,
            hindrance=f"does not tell what its simulations gave; `p4abs experiment {folder.name}` "
            "measures it anew",
        )
    return Confirmation(folder, changed, _sampled(cells, count))


def _sampled(cells: Sequence[tuple[Cell, str]], count: int) -> list[tuple[Cell, str]]:
    """At least so many where there are, and of every scenario at least one with each part of the
    source code: a change may show in one of them only."""
    chosen: list[tuple[Cell, str]] = []
    rest: list[tuple[Cell, str]] = []
    seen: set[tuple[str, str]] = set()
    for entry in sorted(cells, key=_order):
        parts = {(entry[0].scenario.name, part) for part in parts_of(entry[0])}
        (rest if parts <= seen else chosen).append(entry)
        seen |= parts
    return chosen + rest[: max(0, count - len(chosen))]


def _place(cell: Cell) -> _Place:
    limit_bytes = fixed_limit_bytes(cell.scenario.link())
    return cell.scenario.name, cell.policy_label, cell.seed, limit_bytes


def _order(entry: tuple[Cell, str]) -> str:
    """Any, but always the same."""
    return hashlib.sha256(entry[1].encode()).hexdigest()

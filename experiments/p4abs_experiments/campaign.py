"""Several experiments as one run: their cells and searches side by side, their outputs one by
one as soon as each is complete."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.optimum import (
    Optimum,
    OptimumTask,
    expected_simulations,
    search,
)
from p4abs_experiments.experiment.seeds import seeds_of
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import optimum_key_of, simulation_json
from p4abs_experiments.output import folder as outputs
from p4abs_experiments.output.optima import FoundOptimum, name_of
from p4abs_experiments.output.provenance import Provenance
from p4abs_experiments.run.scheduler import Job
from p4abs_experiments.simulation.result import CellResult
from p4abs_experiments.size import Size, slice_of


@dataclass(frozen=True)
class Plan:
    """An experiment at a size, with the random seeds that are asked for (None: the
    experiment's at full size, one otherwise)."""

    experiment: Experiment
    size: Size
    seeds: tuple[int, ...] | None = None

    def cells(self) -> list[Cell]:
        """The experiment's cells or a slice of them, once for every seed."""
        cells = self.experiment.cells()
        if self.size is Size.QUICK:
            cells = slice_of(cells)
        return [replace(cell, seed=seed) for cell in cells for seed in self._seeds(cell)]

    def optima(self) -> list[OptimumTask]:
        """The experiment's optima, searched with the random seeds that are asked for."""
        if self.size is Size.QUICK:
            return []
        seeds = self.seeds or self.experiment.seeds
        return [replace(task, seeds=seeds) for task in self.experiment.optima()]

    def _seeds(self, cell: Cell) -> tuple[int, ...]:
        if self.seeds is not None:
            return self.seeds
        return seeds_of(cell, self.experiment.seeds) if self.size is Size.FULL else (cell.seed,)

    def command(self) -> str:
        words = ["p4abs", "experiment", self.experiment.name, "--size", str(self.size)]
        for seed in self.seeds or ():
            words += ["--seed", str(seed)]
        return shlex.join(words)


class Measurement:
    """A plan under way: collects its results and writes its outputs when all are there.

    `expect` is told of packets that searches will probably simulate, and (negative) of those
    that they need not or have asked for. `known` optima, by `output.optima.name_of`, are taken over
    where they still hold.
    """

    def __init__(
        self,
        plan: Plan,
        on_complete: "Callable[[Measurement], None]",
        expect: Callable[[float], None],
        known: Mapping[str, FoundOptimum] | None = None,
    ) -> None:
        self.plan = plan
        self._known = known or {}
        self._found: list[FoundOptimum] = []
        self._expect = expect
        self.provenance: dict[str, Provenance] = {}
        self._on_complete = on_complete
        self._cells = plan.cells()
        self._tasks = plan.optima()
        self._by_simulation: dict[str, CellResult] = {}
        self._optima: dict[str, Optimum] = {}
        self._open = 1 + len(self._tasks)

    def jobs(self) -> list[Job]:
        return [self._simulations(), *(self._search(task) for task in self._tasks)]

    def results(self) -> Results:
        return Results(self._cells, self._by_simulation, self._optima)

    def write(self, folder: Path) -> None:
        """Writes the experiment's outputs. See output.folder.write."""
        provenance = list(self.provenance.values())
        outputs.write(
            self.plan.experiment,
            self.plan.size,
            self.results(),
            provenance,
            self._found,
            folder,
            self.plan.command(),
        )

    def _simulations(self) -> Job:
        results = yield self._cells
        self._note(self._cells, results)
        for cell, result in zip(self._cells, results, strict=True):
            self._by_simulation[simulation_json(cell)] = result
        self._close_one()

    def _search(self, task: OptimumTask) -> Job:
        known = self._known.get(name_of(task))
        searching = search(task) if known is None else known.taken_over(task)
        packets = Cell(task.scenario).packets
        seeds = len(task.seeds)
        expected = packets * (expected_simulations(seeds) if known is None else seeds)
        self._expect(expected)
        results: Sequence[CellResult] | None = None
        while True:
            try:
                cells = next(searching) if results is None else searching.send(results)
            except StopIteration as stop:
                self._take(task, stop.value, known)
                break
            asked = min(expected, packets * len(cells))
            self._expect(-asked)
            expected -= asked
            results = yield cells
            self._note(cells, results)
        self._expect(-expected)
        self._close_one()

    def _take(self, task: OptimumTask, optimum: Optimum, known: FoundOptimum | None) -> None:
        self._optima[optimum_key_of(task.scenario, task.link)] = optimum
        # One that was taken over has not probed anything.
        kept = known if known is not None and not optimum.probes else None
        self._found.append(kept or FoundOptimum.of(task, optimum))

    def _note(self, cells: Sequence[Cell], results: Sequence[CellResult]) -> None:
        for cell, result in zip(cells, results, strict=True):
            entry = Provenance.of(cell, result)
            self.provenance.setdefault(simulation_json(cell), entry)

    def _close_one(self) -> None:
        self._open -= 1
        if self._open == 0:
            self._on_complete(self)

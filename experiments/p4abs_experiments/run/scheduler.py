"""Which cell is simulated next, and who gets its result."""

import heapq
from collections.abc import Generator, Mapping, Sequence
from itertools import count
from queue import SimpleQueue

from p4abs.errors import P4absError

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.run.code import code_that_runs, key_of, simulator_of
from p4abs_experiments.run.process import Outcome
from p4abs_experiments.run.progress import ProgressView
from p4abs_experiments.run.store import Store
from p4abs_experiments.run.workers import Workers
from p4abs_experiments.simulation.result import CellResult

Job = Generator[list[Cell], Sequence[CellResult], None]
"""Yields cells and is sent their results, any number of times."""


class CodeChanged(P4absError):
    """The simulator or a policy that ran is not the one that the run began with."""


class _Waiting:
    """A job, the cells that it waits for by key, and the keys whose results are missing."""

    def __init__(self, job: Job, keys: Sequence[str], missing: set[str]) -> None:
        self.job = job
        self.keys = keys
        self.missing = missing


class Scheduler:
    """Drives jobs: takes what the store has, simulates the rest, each simulation once.

    The longest cells begin first, so that none is left over at the end.
    """

    def __init__(self, store: Store, workers: Workers, view: ProgressView) -> None:
        # By simulator, as it was when its first cell was wanted.
        self._code: dict[str, str] = {}
        self._store = store
        self._workers = workers
        self._view = view
        self._queue: list[tuple[float, int, str, Cell]] = []
        self._order = count()
        self._waiting: dict[str, list[_Waiting]] = {}
        self._failures: list[BaseException] = []
        self._done: SimpleQueue[tuple[Cell, Outcome | BaseException]] = SimpleQueue()

    def run(self, jobs: Sequence[Job]) -> None:
        """Runs all jobs to their ends. Raises CodeChanged at once and, when all else is done, the
        first of the errors that simulations and jobs ended with."""
        for job in jobs:
            self._advance(job, None)
        self._view.begun()
        under_way: dict[int, str] = {}
        while self._queue or under_way:
            while self._queue and len(under_way) < self._workers.count:
                _, _, key, cell = heapq.heappop(self._queue)
                under_way[id(cell)] = key
                self._workers.submit(cell, lambda *done: self._done.put(done))
            cell, outcome = self._done.get()
            self._take(under_way.pop(id(cell)), cell, outcome)
        if self._failures:
            raise self._failures[0]

    def _advance(self, job: Job, results: Sequence[CellResult] | None) -> None:
        """Sends the job its results, and again as long as the store has what it wants next."""
        try:
            while True:
                cells = next(job) if results is None else job.send(results)
                keys = [key_of(cell, self._code_of(cell)) for cell in cells]
                found = {key: self._store.load(key) for key in dict.fromkeys(keys)}
                missing = {key for key, result in found.items() if result is None}
                if missing:
                    self._await(_Waiting(job, keys, missing), dict(zip(keys, cells, strict=True)))
                    return
                results = [result for key in keys if (result := found[key]) is not None]
        except StopIteration:
            return
        except Exception as error:
            # What one experiment makes of its results is no reason to stop the others.
            self._failures.append(error)

    def _await(self, waiting: _Waiting, cells: Mapping[str, Cell]) -> None:
        for key, cell in cells.items():
            if key not in waiting.missing:
                continue
            if key not in self._waiting:
                heapq.heappush(self._queue, (-cell.packets, next(self._order), key, cell))
                self._view.wanted(cell)
            self._waiting.setdefault(key, []).append(waiting)

    def _take(self, key: str, cell: Cell, outcome: Outcome | BaseException) -> None:
        if isinstance(outcome, BaseException):
            # The jobs that wait for it never get all their results.
            self._failures.append(outcome)
            self._view.failed(cell, outcome)
            return
        code, result = outcome
        if code != self._code_of(cell):
            raise CodeChanged(
                f"{cell.scenario.name}: the simulator or a policy has changed since the run began, "
                "or the cluster has other ones; start again: what is finished stays"
            )
        self._store.save(key, result)
        self._view.finished(cell, result.wall_s)
        for waiting in self._waiting.pop(key):
            waiting.missing.remove(key)
            if not waiting.missing:
                self._advance(waiting.job, [self._loaded(each) for each in waiting.keys])

    def _code_of(self, cell: Cell) -> str:
        simulator = simulator_of(cell)
        if simulator not in self._code:
            self._code[simulator] = code_that_runs(simulator)
        return self._code[simulator]

    def _loaded(self, key: str) -> CellResult:
        result = self._store.load(key)
        if result is None:
            raise P4absError(f"the stored result {key} was damaged while the run went on")
        return result

"""Where cells are simulated: processes of this machine, or a Dask cluster."""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Any, Protocol

from p4abs.errors import P4absError, UserError, one_line

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.run.process import (
    CellProcess,
    Outcome,
    SimulationFailed,
    place_of,
    run_in_process,
)

OnDone = Callable[[Cell, "Outcome | BaseException"], None]
"""Takes a cell and what became of it; called from any thread."""


class Workers(Protocol):
    """Simulates cells, each in a process or a fork of its own: ns-3 keeps its state in globals."""

    @property
    def count(self) -> int:
        """How many cells run at the same time."""

    def submit(self, cell: Cell, on_done: OnDone) -> None:
        """Starts a cell as soon as a worker is free."""

    def stop(self) -> None:
        """Ends what is under way, without waiting for its results."""


class LocalWorkers:
    """Processes of this machine, `count` at a time."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._threads = ThreadPoolExecutor(count)
        self._lock = Lock()
        self._running: set[CellProcess] = set()
        self._idle: list[CellProcess] = []
        self._stopped = False

    def submit(self, cell: Cell, on_done: OnDone) -> None:
        future = self._threads.submit(self._run, cell)
        future.add_done_callback(lambda done: on_done(cell, _outcome(done)))

    def stop(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.kill()
            while self._idle:
                self._idle.pop().close()

    def _run(self, cell: Cell) -> Outcome:
        process = self._one()
        try:
            return process.run(cell)
        finally:
            self._give_back(process)

    def _one(self) -> CellProcess:
        with self._lock:
            if self._stopped:
                raise SimulationFailed("stopped before it began")
            process = self._idle.pop() if self._idle else CellProcess()
            self._running.add(process)
            return process

    def _give_back(self, process: CellProcess) -> None:
        with self._lock:
            self._running.remove(process)
            if not self._stopped and not process.has_ended():
                self._idle.append(process)
                return
        process.close()


class DaskWorkers:
    """A Dask cluster whose workers have this repository, set up, at the same commit.

    Raises UserError when Dask is missing or there is no scheduler at the address.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise UserError("Dask is not installed: pip install dask distributed") from None
        try:
            # Dask has no types.
            self._client: Any = Client(address, timeout=10)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise UserError(f"no Dask scheduler at {address}: {error}") from None
        self._futures: set[Any] = set()

    @property
    def count(self) -> int:
        """The threads of the cluster; workers may come and go."""
        try:
            threads: Mapping[str, int] = self._client.nthreads()
        except OSError as error:
            raise SimulationFailed(f"the Dask scheduler has gone: {one_line(str(error))}") from None
        return max(1, sum(threads.values()))

    def submit(self, cell: Cell, on_done: OnDone) -> None:
        future = self._client.submit(run_in_process, cell, pure=False)
        # Dask forgets the task of a future that nobody holds.
        self._futures.add(future)

        def finish(done: Any) -> None:
            self._futures.discard(done)
            on_done(cell, _of_cluster(cell, _outcome(done)))

        future.add_done_callback(finish)

    def stop(self) -> None:
        self._client.cancel(list(self._futures))
        self._client.close()


def _of_cluster(cell: Cell, outcome: Outcome | BaseException) -> Outcome | BaseException:
    """Dask has errors of its own, such as that of a cell whose workers died."""
    if isinstance(outcome, P4absError) or not isinstance(outcome, Exception):
        return outcome
    reason = one_line(f"{type(outcome).__name__}: {outcome}")
    return SimulationFailed(f"{place_of(cell)}: {reason}")


def _outcome(future: Any) -> Outcome | BaseException:
    """What became of a finished future: of concurrent.futures or of Dask."""
    if future.cancelled():
        return SimulationFailed("cancelled")
    error: BaseException | None = future.exception()
    return future.result() if error is None else error

"""A process that simulates cells, one after the other: `python -m p4abs_experiments.run.process`.

It reads pickled Cells from its input and answers each with a pickled CellResult, or with the
message of what was refused. What cells import is imported once; each is simulated in a fork, as
ns-3 keeps its state in globals. Whatever ns-3 has to say goes to standard error. A simulation ends
when nobody is left to read its result: who wanted it may have been killed.
"""

import os
import pickle
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from importlib import import_module

from p4abs.errors import P4absError, UserError

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.run.code import SIMULATORS, code_that_runs, simulator_of
from p4abs_experiments.simulation.result import CellResult

Outcome = tuple[str, CellResult]
"""`code_that_runs` when the simulation had ended, and the result."""


class SimulationFailed(P4absError):
    """A simulation ended without a result."""


def place_of(cell: Cell) -> str:
    return f"{cell.scenario.name}, {cell.policy_label}, seed {cell.seed}"


class CellProcess:
    """A process for cells, which another thread may kill. A simulation that fails ends it."""

    def __init__(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - until close()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            process_group=0,
        )

    def run(self, cell: Cell) -> Outcome:
        """Simulates the cell. Raises UserError for what is refused, SimulationFailed."""
        where = place_of(cell)
        try:
            result = self._answer(cell)
        except (OSError, EOFError, pickle.UnpicklingError):
            end = f"{_end(self._process.wait())} {self._last_line()}"
            raise SimulationFailed(f"{where}: {end}".rstrip()) from None
        if isinstance(result, str):
            raise UserError(f"{where}: {result}")
        return code_that_runs(simulator_of(cell)), result

    def has_ended(self) -> bool:
        """Whether it takes no more cells."""
        return self._process.poll() is not None

    def kill(self) -> None:
        """Ends it with its simulation; `run` then raises SimulationFailed."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Waits until it has ended: nobody has a cell for it any more."""
        with suppress(BrokenPipeError), self._process:
            self._errors.close()

    def _answer(self, cell: Cell) -> CellResult | str:
        cells, results = self._process.stdin, self._process.stdout
        assert cells is not None
        assert results is not None
        cells.write(pickle.dumps(cell))
        cells.flush()
        answer: CellResult | str = pickle.load(results)
        return answer

    def _last_line(self) -> str:
        self._errors.seek(0)
        return self._errors.read().decode(errors="replace").strip().rpartition("\n")[2]


def run_in_process(cell: Cell) -> Outcome:
    """Simulates a cell in a process of its own, as CellProcess.run does."""
    with closing(CellProcess()) as process:
        return process.run(cell)


def main() -> None:
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    for cell in _cells():
        # Imported here: the one who hands out cells need not have the simulator.
        simulator = simulator_of(cell)
        simulate = getattr(import_module(simulator), SIMULATORS[simulator])
        fork = os.fork()
        if fork == 0:
            output.write(pickle.dumps(_result(simulate, cell)))
            output.flush()
            os._exit(0)
        _kill_unread(fork, output.fileno())
        _end_as(os.waitstatus_to_exitcode(os.waitpid(fork, 0)[1]))


def _cells() -> Iterator[Cell]:
    with suppress(EOFError):
        while True:
            yield pickle.load(sys.stdin.buffer)


def _result(simulate: Callable[[Cell], CellResult], cell: Cell) -> CellResult | str:
    try:
        return simulate(cell)
    except UserError as error:
        return str(error)


def _kill_unread(fork: int, output: int) -> None:
    """Waits until the fork has ended, and kills it if the pipe of results has no reader."""
    ended = os.pidfd_open(fork)
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    poll.register(output, 0)  # a pipe without a reader is in error
    if any(file == output for file, _ in poll.poll()):
        os.kill(fork, signal.SIGKILL)
    os.close(ended)


def _end_as(status: int) -> None:
    """Ends as the fork did, unless it has given its result."""
    if status < 0:
        os.kill(os.getpid(), -status)
    elif status > 0:
        sys.exit(status)


def _end(status: int) -> str:
    """How a process ended, in words."""
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}:"


if __name__ == "__main__":
    main()

"""A process that simulates one cell: `python -m p4abs_experiments.run.process`.

It reads a pickled Cell from its input and writes a pickled CellResult, or the message of what was
refused. Whatever ns-3 has to say goes to its standard error.
"""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module

from p4abs.errors import P4absError, UserError

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.run.code import SIMULATORS, code_that_runs, simulator_of
from p4abs_experiments.simulation.result import CellResult

Outcome = tuple[str, CellResult]
"""`code_that_runs` when the process had ended, and the result."""


class SimulationFailed(P4absError):
    """A simulation ended without a result."""


def place_of(cell: Cell) -> str:
    return f"{cell.scenario.name}, {cell.policy_label}, seed {cell.seed}"


class CellProcess:
    """A process for one cell, which another thread may kill."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, cell: Cell) -> Outcome:
        """Simulates the cell. Raises UserError for what is refused, SimulationFailed."""
        output, errors = self._process.communicate(pickle.dumps(cell))
        where = place_of(cell)
        if self._process.returncode != 0:
            last = errors.decode(errors="replace").strip().rpartition("\n")[2]
            raise SimulationFailed(f"{where}: {_end(self._process.returncode)} {last}".rstrip())
        result: CellResult | str = pickle.loads(output)
        if isinstance(result, str):
            raise UserError(f"{where}: {result}")
        return code_that_runs(simulator_of(cell)), result

    def kill(self) -> None:
        """Ends it; `run` then raises SimulationFailed."""
        self._process.kill()


def run_in_process(cell: Cell) -> Outcome:
    return CellProcess().run(cell)


def main() -> None:
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        cell = pickle.load(sys.stdin.buffer)
        output.write(pickle.dumps(_result(cell)))


def _end(status: int) -> str:
    """How a process ended, in words."""
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}:"


def _result(cell: Cell) -> CellResult | str:
    # Imported here: the one who hands out cells need not have the simulator.
    simulator = simulator_of(cell)
    simulate: Callable[[Cell], CellResult] = getattr(
        import_module(simulator), SIMULATORS[simulator]
    )
    try:
        return simulate(cell)
    except UserError as error:
        return str(error)


if __name__ == "__main__":
    main()

"""A process that simulates one cell: `python -m p4abs_experiments.run.process`.

It reads a pickled Cell from its input and writes a pickled (key, CellResult), or the message of
what was refused. Whatever ns-3 has to say goes to its standard error.
"""

import os
import pickle
import signal
import subprocess
import sys

from p4abs.errors import P4absError, UserError

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.priorities import shares_limits
from p4abs_experiments.network.tofino import has_tofinos
from p4abs_experiments.run.key import key_of
from p4abs_experiments.simulation.result import CellResult

Outcome = tuple[str, CellResult]
"""The key that the code which ran gives to the cell, and the result."""


class SimulationFailed(P4absError):
    """A simulation ended without a result."""


def place_of(cell: Cell) -> str:
    """For messages."""
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
        outcome: Outcome | str = pickle.loads(output)
        if isinstance(outcome, str):
            raise UserError(f"{where}: {outcome}")
        return outcome

    def kill(self) -> None:
        """Ends it; `run` then raises SimulationFailed."""
        self._process.kill()


def run_in_process(cell: Cell) -> Outcome:
    """See CellProcess.run."""
    return CellProcess().run(cell)


def main() -> None:
    """Simulates the one cell."""
    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)
        cell = pickle.load(sys.stdin.buffer)
        output.write(pickle.dumps(_outcome(cell)))


def _end(status: int) -> str:
    """How a process ended, in words."""
    return f"killed by {signal.Signals(-status).name}" if status < 0 else f"exit status {status}:"


def _outcome(cell: Cell) -> Outcome | str:
    try:
        return key_of(cell), _simulated(cell)
    except UserError as error:
        return str(error)


def _simulated(cell: Cell) -> CellResult:
    # Imported here: the one who hands out cells need not have the simulator.
    if shares_limits(cell.scenario):
        from p4abs_experiments.simulation.sharing.simulate import simulate_sharing

        return simulate_sharing(cell)
    if has_tofinos(cell.scenario):
        from p4abs_experiments.simulation.tofino.simulate import simulate_behind_tofinos

        return simulate_behind_tofinos(cell)
    from p4abs_experiments.simulation.simulate import simulate

    return simulate(cell)


if __name__ == "__main__":
    main()

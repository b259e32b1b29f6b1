"""Cells in processes of their own, here and on a Dask cluster."""

import io
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

import pytest
from p4abs.errors import UserError
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.output.digest import digest_of
from p4abs_experiments.run.code import code_that_runs, simulator_of
from p4abs_experiments.run.process import CellProcess, SimulationFailed, run_in_process
from p4abs_experiments.run.workers import DaskWorkers, LocalWorkers, Workers
from p4abs_experiments.simulation.simulate import simulate

PATIENCE_S = 300.0  # a process begins and simulates, on a busy machine


def outcome_of(workers: Workers, cell: Cell):
    done: SimpleQueue = SimpleQueue()
    workers.submit(cell, lambda _, outcome: done.put(outcome))
    return done.get(timeout=PATIENCE_S)


def test_a_process_gives_what_this_one_would(scenario):
    cell = Cell(scenario(duration_s=0.5))
    code, result = run_in_process(cell)
    assert code == code_that_runs(simulator_of(cell))
    assert result.link().departed_bytes == simulate(cell).link().departed_bytes


def test_what_is_refused_is_said_with_the_cell(scenario):
    cell = Cell(scenario(policy="abs", parameters={"precision": -1.0}), seed=7)
    with pytest.raises(UserError, match=r"dumbbell, abs, seed 7: abs: precision=-1\.0"):
        run_in_process(cell)


def test_stopping_ends_what_is_under_way(scenario):
    workers = LocalWorkers(1)
    done: SimpleQueue = SimpleQueue()
    started: SimpleQueue = SimpleQueue()
    workers.submit(Cell(scenario(duration_s=0.1)), lambda _, outcome: started.put(outcome))
    workers.submit(Cell(scenario(duration_s=1e6)), lambda _, outcome: done.put(outcome))
    started.get(timeout=PATIENCE_S)
    workers.stop()
    assert isinstance(done.get(timeout=PATIENCE_S), Exception)


def test_one_after_the_other_in_a_process_simulates_as_the_first(scenario):
    first, other = Cell(scenario(duration_s=0.5)), Cell(scenario(duration_s=0.5, policy="abs"))
    with closing(CellProcess()) as process:
        before, _, after = (process.run(cell)[1] for cell in (first, other, first))
    assert digest_of(after) == digest_of(before)


# A simulator that keeps its state in a global: how often it was called.
COUNTING = """
import itertools, sys, types
from p4abs_experiments.run import process
calls = itertools.count(1)
sys.modules["counting"] = types.SimpleNamespace(simulate=lambda cell: f"call {next(calls)}")
process.SIMULATORS = {"counting": "simulate"}
process.simulator_of = lambda cell: "counting"
process.main()
"""


def test_what_a_simulation_leaves_in_globals_the_next_one_does_not_see():
    cells = pickle.dumps("a cell") * 2
    done = subprocess.run(
        [sys.executable, "-c", COUNTING], input=cells, capture_output=True, check=True
    )
    answers = io.BytesIO(done.stdout)
    assert [pickle.load(answers) for _ in range(2)] == ["call 1"] * 2


def test_killing_a_process_ends_the_simulation_that_is_under_way(scenario):
    with closing(CellProcess()) as process, ThreadPoolExecutor(1) as thread:
        running = thread.submit(process.run, Cell(scenario(duration_s=1e6)))
        simulation = wait_for(lambda: children(process._process.pid))
        process.kill()
        with pytest.raises(SimulationFailed, match="killed by SIGKILL"):
            running.result(timeout=PATIENCE_S)
    wait_for(lambda: not any(is_running(each) for each in simulation))


# Begins a simulation that takes for ever.
WAITING = """
from p4abs_experiments.run.process import run_in_process
import pickle, sys
run_in_process(pickle.load(sys.stdin.buffer))
"""


def test_a_simulation_ends_with_a_killed_process_that_wanted_it(scenario):
    with subprocess.Popen([sys.executable, "-c", WAITING], stdin=subprocess.PIPE) as wants_it:
        assert wants_it.stdin is not None
        wants_it.stdin.write(pickle.dumps(Cell(scenario(duration_s=1e6))))
        wants_it.stdin.close()
        (process,) = wait_for(lambda: children(wants_it.pid))
        simulation = wait_for(lambda: children(process))
        wants_it.kill()
    wait_for(lambda: not any(is_running(each) for each in [process, *simulation]))


def children(pid: int) -> list[int]:
    return [*map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_for(condition):
    give_up_s = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        assert time.monotonic() < give_up_s
    return found


def test_after_a_simulation_that_fails_the_next_one_runs(scenario):
    workers = LocalWorkers(1)
    failure = outcome_of(workers, Cell(scenario(), seed=-1))
    assert isinstance(failure, SimulationFailed)
    assert "seed -1: exit status 1: " in str(failure)
    _, result = outcome_of(workers, Cell(scenario(duration_s=0.1)))
    workers.stop()
    assert result.link().departed_bytes > 0


def test_a_killed_process_is_reported(scenario):
    with closing(CellProcess()) as process:
        process.kill()
        with pytest.raises(SimulationFailed, match="seed 1: killed by SIGKILL"):
            process.run(Cell(scenario()))


def test_a_dead_process_is_reported(scenario, monkeypatch):
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(SimulationFailed, match="dumbbell, static, seed 1: exit status 1"):
        run_in_process(Cell(scenario()))


def test_a_dask_cluster_simulates(scenario):
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        workers = DaskWorkers(cluster.scheduler_address)
        assert workers.count == 1
        cell = Cell(scenario(duration_s=0.1))
        code, result = outcome_of(workers, cell)
        workers.stop()
    assert code == code_that_runs(simulator_of(cell))
    assert result.link().departed_bytes > 0


def test_what_dask_itself_fails_with_names_the_cell(scenario, monkeypatch):
    from distributed import LocalCluster

    def killed(_cell: Cell) -> None:
        raise RuntimeError("the worker died\nthree times")

    monkeypatch.setattr("p4abs_experiments.run.workers.run_in_process", killed)
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        workers = DaskWorkers(cluster.scheduler_address)
        failure = outcome_of(workers, Cell(scenario()))
        workers.stop()
    assert isinstance(failure, SimulationFailed)
    assert str(failure) == "dumbbell, static, seed 1: RuntimeError: the worker died three times"


def test_a_missing_dask_scheduler_is_one_line(monkeypatch):
    with pytest.raises(UserError, match="no Dask scheduler at here"):
        DaskWorkers("here")


def test_a_cell_that_is_begun_after_the_end_is_not_simulated(scenario):
    workers = LocalWorkers(1)
    workers._stopped = True
    with pytest.raises(SimulationFailed, match=r"^stopped before it began$"):
        workers._run(Cell(scenario()))


def test_a_scheduler_that_has_gone_is_told():
    class Gone:
        def nthreads(self):
            raise OSError("Timed out trying to connect")

    workers = DaskWorkers.__new__(DaskWorkers)
    workers._client = Gone()
    with pytest.raises(SimulationFailed, match=r"^the Dask scheduler has gone: Timed out"):
        _ = workers.count

"""Every simulation once, the longest first, nothing lost by an interruption."""

from collections.abc import Sequence

import pytest
from p4abs_experiments.experiment.optimum import OptimumTask, search
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.run.code import code_that_runs, key_of, simulator_of
from p4abs_experiments.run.scheduler import CodeChanged, Job, Scheduler
from p4abs_experiments.run.store import Store
from p4abs_experiments.simulation.result import CellResult


class Quiet:
    def wanted(self, cell: Cell) -> None:
        pass

    def begun(self) -> None:
        """See ProgressView."""

    def finished(self, cell: Cell, wall_s: float) -> None:
        pass

    def failed(self, cell: Cell, error: BaseException) -> None:
        pass


def wanting(cells: list[Cell], taken: list[Sequence[CellResult]]) -> Job:
    taken.append((yield cells))


@pytest.fixture
def run(tmp_path):
    def run(jobs: Sequence[Job], workers: object, fresh: bool = False) -> None:
        Scheduler(Store(tmp_path, fresh), workers, Quiet()).run(jobs)

    return run


@pytest.fixture
def cells(scenario):
    return [
        Cell(scenario(initial_limit_bytes=limit, duration_s=duration_s))
        for limit, duration_s in ((20_000, 2), (40_000, 9), (60_000, 4))
    ]


def test_results_come_in_the_order_of_the_cells(run, cells, instant_workers, by_limit):
    taken: list[Sequence[CellResult]] = []
    run([wanting(cells, taken)], instant_workers(by_limit))
    limits = [result.link().mean_limit_bytes for result in taken[0]]
    assert limits == [20_000, 40_000, 60_000]


def test_the_longest_cells_begin_first(run, cells, instant_workers, by_limit):
    workers = instant_workers(by_limit)
    run([wanting(cells, [])], workers)
    assert [cell.scenario.duration_s for cell in workers.ran] == [9, 4, 2]


def test_jobs_share_the_simulations_that_are_the_same(run, cells, instant_workers, by_limit):
    workers = instant_workers(by_limit)
    taken: list[Sequence[CellResult]] = []
    run([wanting(cells, taken), wanting([cells[1], cells[1]], taken)], workers)
    assert len(workers.ran) == 3
    assert sorted(len(results) for results in taken) == [2, 3]


def test_a_second_run_simulates_nothing(run, cells, instant_workers, by_limit):
    run([wanting(cells, [])], instant_workers(by_limit))
    again = instant_workers(by_limit)
    taken: list[Sequence[CellResult]] = []
    run([wanting(cells, taken)], again)
    assert again.ran == []
    assert len(taken[0]) == 3


def test_a_fresh_run_simulates_all_again_and_each_once(run, cells, instant_workers, by_limit):
    run([wanting(cells, [])], instant_workers(by_limit))
    again = instant_workers(by_limit)
    run([wanting(cells, []), wanting(cells, [])], again, fresh=True)
    assert len(again.ran) == 3


def test_an_interrupted_run_goes_on_where_it_was(run, cells, instant_workers, by_limit):
    def interrupted(cell: Cell) -> CellResult:
        if cell.scenario.duration_s == 2:
            raise KeyboardInterrupt
        return by_limit(cell)

    with pytest.raises(KeyboardInterrupt):
        run([wanting(cells, [])], instant_workers(interrupted))
    again = instant_workers(by_limit)
    run([wanting(cells, [])], again)
    assert 9 not in [cell.scenario.duration_s for cell in again.ran]


def test_a_damaged_result_is_simulated_again(run, cells, instant_workers, by_limit, tmp_path):
    run([wanting(cells, [])], instant_workers(by_limit))
    path = tmp_path / f"{key_of(cells[0], code_that_runs(simulator_of(cells[0])))}.cell"
    path.write_bytes(path.read_bytes()[:-10])
    again = instant_workers(by_limit)
    taken: list[Sequence[CellResult]] = []
    run([wanting(cells, taken)], again)
    assert again.ran == [cells[0]]
    assert taken[0][0].link().mean_limit_bytes == 20_000


def test_a_search_finds_its_own_probes_again(run, scenario, instant_workers, by_limit):
    found = []

    def searching() -> Job:
        found.append((yield from search(OptimumTask(scenario()))))

    first = instant_workers(by_limit)
    run([searching()], first)
    again = instant_workers(by_limit)
    run([searching()], again)
    assert first.ran
    assert again.ran == []
    assert found[0].limit_bytes == found[1].limit_bytes == pytest.approx(50_000, rel=0.03)


def test_a_failed_simulation_is_raised_when_all_others_are_done(
    run, cells, instant_workers, by_limit
):
    def failing(cell: Cell) -> CellResult:
        if cell.scenario.duration_s == 9:
            raise ValueError("no")
        return by_limit(cell)

    workers = instant_workers(failing)
    taken: list[Sequence[CellResult]] = []
    with pytest.raises(ValueError, match="no"):
        run([wanting(cells, []), wanting(cells[2:], taken)], workers)
    assert len(workers.ran) == 3
    assert len(taken) == 1


def test_a_failing_job_does_not_stop_the_others(run, cells, instant_workers, by_limit):
    def failing() -> Job:
        yield cells[:1]
        raise ValueError("no")

    taken: list[Sequence[CellResult]] = []
    with pytest.raises(ValueError, match="no"):
        run([failing(), wanting(cells, taken)], instant_workers(by_limit))
    assert len(taken) == 1


def test_results_of_other_code_are_refused(run, cells, tmp_path, by_limit):
    class OtherCode:
        count = 1

        def submit(self, cell, on_done):
            on_done(cell, ("other code", by_limit(cell)))

    with pytest.raises(CodeChanged, match="has changed since"):
        run([wanting(cells, [])], OtherCode())
    assert list(tmp_path.iterdir()) == []

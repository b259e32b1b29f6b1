"""The time left, from what the finished cells took."""

import io

import pytest
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.run.progress import ProgressView, TimeLeft
from rich.console import Console


def test_packets_measure_the_work():
    left = TimeLeft(workers=1)
    left.expect(3_000)
    left.finish(1_000, wall_s=5.0)
    assert left.seconds == pytest.approx(10.0)


def test_workers_share_the_work():
    left = TimeLeft(workers=2)
    left.expect(3_000)
    left.finish(1_000, wall_s=5.0)
    assert left.seconds == pytest.approx(5.0)


def test_nothing_is_left_at_the_end():
    left = TimeLeft(workers=2)
    left.expect(1_000)
    left.finish(1_000, wall_s=5.0)
    assert left.seconds == 0


def test_there_is_an_estimate_before_the_first_cell_ends():
    left = TimeLeft(workers=2)
    left.expect(1_000_000)
    assert left.seconds > 0


def test_without_a_terminal_every_cell_is_a_line(scenario):
    file = io.StringIO()
    with ProgressView(Console(file=file, width=40), workers=1) as view:
        view.wanted(Cell(scenario()))
        view.wanted(Cell(scenario(), seed=2))
        view.finished(Cell(scenario()), wall_s=3723.0)
    assert file.getvalue() == ("dumbbell, static, seed 1: 3723.0 s (1/2, about 1:02:03 left)\n")

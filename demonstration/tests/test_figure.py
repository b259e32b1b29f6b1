"""The picture of a demonstration is drawn, disturbed or not."""

from dataclasses import replace
from pathlib import Path

import pytest
from p4abs_demonstration.measure.measurements import Result
from p4abs_demonstration.report.figure import draw

from demonstration.tests.invented import DISTURBED, RESULTS, SAMPLES, SETTINGS

NOTHING = [replace(result, statistics=None) for result in RESULTS]


@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.parametrize("results", [RESULTS, DISTURBED, NOTHING])
def test_the_picture_is_drawn(results: list[Result], tmp_path: Path) -> None:
    draw(tmp_path / "demo.png", SETTINGS, SAMPLES, results)
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")

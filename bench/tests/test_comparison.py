"""Rows of results from rounds that no switch ran."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import targets
from veth import comparison, forwarding
from veth.forwarding import Latency, Round, Speed
from workloads import ABS

BLAST = Path("blast")

Measured = tuple[dict[int, Round], ...]
RowsOf = Callable[[Sequence[Measured]], dict[str, Any]]


def rounds(*speeds: float) -> Measured:
    """Of a target that forwards short frames at these speeds, and long ones at half of them; its
    latency is an interval between frames."""
    return tuple({64: one_round(speed), 1000: one_round(speed / 2)} for speed in speeds)


def one_round(speed: float) -> Round:
    latency = Latency(1 / speed, 2 / speed, speed / 2, 0.0)
    return Round(Speed(speed, speed), latency, latency)


@pytest.fixture
def rows_of(monkeypatch: pytest.MonkeyPatch) -> RowsOf:
    def rows_of(found: Sequence[Measured]) -> dict[str, Any]:
        monkeypatch.setattr(forwarding, "measure", lambda *_: list(found))
        return comparison.measure(ABS, [targets.embedded], BLAST)

    return rows_of


def test_ratios_are_those_of_the_medians_by_the_frames_length(rows_of: RowsOf) -> None:
    rows = rows_of([rounds(300, 800, 400), rounds(200, 50, 100)])
    assert rows["veth_pps_by_frame_bytes"] == {64: 400, 1000: 200}
    assert rows["bmv2_veth_pps_by_frame_bytes"] == {64: 100, 1000: 50}
    assert rows["veth_pps_ratio_by_frame_bytes"] == {64: 4, 1000: 4}
    assert rows["veth_half_load_latency_p99_ratio_by_frame_bytes"] == {64: 0.25, 1000: 0.25}
    assert rows["veth_pps_by_round_by_frame_bytes"][64] == [300, 800, 400]


def test_without_a_peer_only_its_rows_and_the_ratios_are_null(rows_of: RowsOf) -> None:
    rows = rows_of([rounds(300)])
    missing = {name for name in rows if name.startswith("bmv2_") or "_ratio_" in name}
    assert {name for name, value in rows.items() if value is None} == missing


@pytest.mark.parametrize("is_there", [True, False])
def test_the_peer_is_measured_where_it_is_installed_and_else_missed(
    monkeypatch: pytest.MonkeyPatch, is_there: bool
) -> None:
    monkeypatch.setattr("shutil.which", lambda program: program if is_there else None)
    assert targets.installed() == [targets.embedded, targets.bmv2][: 1 + is_there]
    assert targets.peer() == "simple_switch_grpc" + ("" if is_there else " is not on PATH")

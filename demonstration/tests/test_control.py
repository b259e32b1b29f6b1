"""What the demonstration reads of its controller."""

from pathlib import Path
from typing import Any, cast

from p4abs.telemetry.summary import Summary, SwitchSummary
from p4abs_demonstration.control import Controller


def controller(summary: Path) -> Controller:
    return Controller(cast(Any, None), cast(Any, None), summary)


def test_how_the_loop_kept_time_is_read_from_the_summary_of_the_only_switch(
    tmp_path: Path,
) -> None:
    path = tmp_path / "summary.json"
    switch = SwitchSummary("mailbox", 3, 0, 0, 0.001, 0.002, 0.0001, 0.0002, {}, {})
    path.write_text(Summary({"127.0.0.1:9559": switch}).to_json())
    assert controller(path).control_loop()["exchange_median_s"] == 0.001


def test_a_controller_that_left_no_summary_did_not_say_how_it_kept_time(tmp_path: Path) -> None:
    assert controller(tmp_path / "summary.json").control_loop() == {}

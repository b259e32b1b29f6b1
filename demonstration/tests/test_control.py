"""What the demonstration reads of its controller."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from p4abs.telemetry.summary import Summary
from p4abs_demonstration.control import Controller, start

from demonstration.tests.invented import SETTINGS


def controller(summary: Path) -> Controller:
    return Controller(cast(Any, None), cast(Any, None), summary)


def test_how_the_loop_kept_time_is_read_from_the_summary_of_the_only_switch(
    tmp_path: Path,
) -> None:
    path = tmp_path / "summary.json"
    path.write_text(Summary([], {"127.0.0.1:9559": {"exchange_median_s": 0.001}}).to_json())
    assert controller(path).control_loop()["exchange_median_s"] == 0.001


def test_a_controller_that_left_no_summary_did_not_say_how_it_kept_time(tmp_path: Path) -> None:
    assert controller(tmp_path / "summary.json").control_loop() == {}


@pytest.mark.parametrize("given_bytes", [None, 5_000])
def test_a_controller_begins_with_the_limit_that_it_is_given_else_with_the_oversized_one(
    tmp_path: Path, given_bytes: int | None
) -> None:
    commands: list[Sequence[str]] = []
    start(
        lambda command, _: commands.append(command) or cast(Any, None),
        SETTINGS,
        "127.0.0.1:9559",
        2,
        "static",
        tmp_path,
        given_bytes,
    )
    ((*_, port),) = [[w for w in command if w.startswith("2,")] for command in commands]
    oversized_bytes = SETTINGS.oversized_limit_bytes
    assert f"initial-limit={given_bytes or oversized_bytes}B" in port.split(",")
    assert f"max-limit={oversized_bytes}B" in port.split(",")

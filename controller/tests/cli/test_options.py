"""Times among the options."""

import pytest
from p4abs.cli.options import seconds


@pytest.mark.parametrize(
    ("text", "time_s"),
    [("0", 0), ("10", 10), ("0.5", 0.5), (".5", 0.5), ("1e3", 1000), ("5min", 300), ("20ms", 0.02)],
)
def test_a_time_without_a_unit_is_in_seconds(text: str, time_s: float) -> None:
    assert seconds("--duration", text) == time_s

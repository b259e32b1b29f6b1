"""The bottleneck on the project's own switch."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from p4abs_demonstration.targets import embedded
from p4abs_switch.cli.links import port_configs
from p4abs_switch.testbed.embedded import EmbeddedSwitch

from demonstration.tests.invented import SETTINGS


@pytest.mark.parametrize("capacity_bps", [10_000_000, 1_000_000_000])
def test_its_memory_never_bounds_the_queue_before_the_oversized_limit_does(
    capacity_bps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = replace(SETTINGS, capacity_bps=capacity_bps)
    started: list[EmbeddedSwitch] = []
    monkeypatch.setattr(EmbeddedSwitch, "start", lambda switch, *_: started.append(switch))
    dumbbell = SimpleNamespace(pairs=[], bottleneck_port=2, interfaces={2: "b"})
    embedded.start(settings, dumbbell, None, Path())  # type: ignore[arg-type]
    [switch] = started
    [port] = port_configs((), tuple(f"{port},{link}" for port, link in switch.links.items()))
    assert port.rate_bps == capacity_bps
    assert port.memory_bytes is not None
    assert port.memory_bytes >= 2 * settings.oversized_limit_bytes

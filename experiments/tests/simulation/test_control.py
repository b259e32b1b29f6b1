"""The control of a link in virtual time."""

from dataclasses import replace

from p4abs.control.port_control import PortControl
from p4abs_experiments.simulation.simulate import LinkControl


class LossyPort:
    """A port that is always full and loses much; keeps the limits it is given."""

    def __init__(self) -> None:
        self.limits: list[int] = []
        self._intervals = 0

    def snapshot(self) -> tuple[int, int, int, int, int, int, int]:
        count = self._intervals
        self._intervals += 1
        limit_bytes = self.limits[-1] if self.limits else 40_000
        return 20_000 * count, 40_000 * count, 4_000 * count, 40_000 * count, limit_bytes, 0, 0

    def marked_bytes(self) -> int:
        return 4_000 * self._intervals

    def flow_counts(self) -> tuple[int, int, int, int, int]:
        count = self._intervals
        return 320_000 * count, 160_000 * count, 70 * count, 1_000 * count, 50_000_000 * count

    def start_backlog_window(self) -> tuple[int, int]:
        return 40_000, 40_000

    def set_limit_bytes(self, limit_bytes: int) -> None:
        self.limits.append(limit_bytes)


def test_a_limit_takes_effect_at_the_end_of_the_interval_that_it_follows_from(scenario) -> None:
    port = LossyPort()
    link = scenario(policy="abs").link()
    control = LinkControl(link, link.sizing, port)
    control.step(0.0)
    assert port.limits == []
    control.step(0.02)
    assert len(port.limits) == 1
    assert port.limits[0] > 40_000


def test_the_controller_sees_what_a_port_has_marked_and_its_flows(scenario, monkeypatch) -> None:
    port, seen = LossyPort(), []
    monkeypatch.setattr(PortControl, "decide", lambda _, snapshot, __: seen.append(snapshot))
    link = scenario(policy="abs").link()
    control = LinkControl(link, link.sizing, port)
    for step in range(3):
        control.step(0.02 * step)
    assert [snapshot.marked_bytes for snapshot in seen] == [4_000, 8_000, 12_000]
    assert [snapshot.long_flow_us for snapshot in seen] == [160_000, 320_000, 480_000]
    assert [snapshot.timed_bytes for snapshot in seen] == [1_000, 2_000, 3_000]


def test_the_controller_believes_the_declared_capacity(scenario) -> None:
    port = LossyPort()
    link = scenario(policy="abs", max_delay_s=0.04).link()
    link = replace(link, declared_capacity_bps=2 * link.capacity_bps)
    control = LinkControl(link, link.sizing, port)
    for step in range(2_000):
        control.step(0.02 * step)
    assert port.limits[-1] == 0.04 * 2 * 16_000_000 / 8

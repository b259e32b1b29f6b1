"""Ports whose limits stay what they are, whatever is decided, controlled in both ways."""

from dataclasses import replace

import pytest
from p4abs.config import PortSettings
from p4abs.control import Hold, MemoryPool, Samples, switch_control
from p4abs.measurements import Snapshot
from p4abs.session.ports.controls import make_port

LIMIT = 60_000
both_ways = pytest.mark.parametrize("count", [3, 20], ids=["per port", "batched"])


def settings(number: int, **keys: object) -> PortSettings:
    return PortSettings.model_validate({"number": number, "capacity": "10Mbit", **keys})


def controlled(count: int, hold: Hold | None, **keys: object):
    """Port 0 is on hold, the others are not."""
    return switch_control(
        [
            make_port(settings(number, **keys), LIMIT, 0.02, hold=None if number else hold)
            for number in range(count)
        ]
    )


class Ports:
    """Ports that lose 10 %, whatever their limits, as the control asks for them."""

    def __init__(self, control, in_force: int = LIMIT) -> None:
        self.control = control
        self.snapshots = {
            number: Snapshot(0, 0, 0, 0, in_force, 0, 0) for number in control.numbers
        }

    def intervals(self, count: int) -> Samples:
        for _ in range(count):
            written = self.control.limits_to_write()
            self.snapshots = {
                number: replace(
                    before,
                    timestamp_us=before.timestamp_us + 20_000,
                    admitted_bytes=before.admitted_bytes + 25_000,
                    dropped_bytes=before.dropped_bytes + 2_500,
                    departed_bytes=before.departed_bytes + 25_000,
                    limit_bytes=written.get(number, before.limit_bytes),
                )
                for number, before in self.snapshots.items()
            }
            steps = self.control.decide(self.snapshots, MemoryPool(None))
        return steps


def test_decisions_stay_near_the_limit_in_force_whatever_the_initial_one() -> None:
    observed = make_port(settings(0, **{"initial-limit": "500kB"}), LIMIT, 0.02, hold=Hold())
    assert observed.policy is not None
    targets = observed.policy.targets
    assert (targets.min_limit_bytes, targets.max_limit_bytes) == (LIMIT // 2, 2 * LIMIT)


@both_ways
def test_nothing_is_written_for_an_observed_port_while_others_are_controlled(count: int) -> None:
    control = controlled(count, Hold())
    ports = Ports(control)
    for _ in range(200):
        ports.intervals(1)
        assert 0 not in control.limits_to_write()
    assert ports.snapshots[0].limit_bytes == control.limits()[0] == LIMIT
    assert ports.snapshots[1].limit_bytes > LIMIT


@both_ways
@pytest.mark.parametrize("policy", ["abs", "dql", "delay-cap"])
def test_decisions_of_an_observed_port_stay_near_the_limit_in_force(count: int, policy) -> None:
    """A law that took its decisions for the limit in force would run to its highest limit."""
    keys = {"max-delay": "900ms"}
    control = controlled(count, Hold(), policy=policy, **keys)
    steps = Ports(control).intervals(1_000)
    decided = steps.decisions.limit_bytes[0]
    assert LIMIT <= decided <= 2 * LIMIT
    assert steps.limit_bytes[0] == LIMIT


@both_ways
def test_an_observed_port_whose_limit_others_change_is_told(count: int) -> None:
    control = controlled(count, Hold())
    ports = Ports(control)
    ports.intervals(2)
    assert control.take_moved() == {}
    ports.snapshots[0] = replace(ports.snapshots[0], limit_bytes=90_000)
    ports.intervals(1)
    assert control.take_moved() == {0: 90_000}
    assert control.take_moved() == {}


@both_ways
def test_a_limit_that_is_held_is_written_once_and_again_when_others_have_changed_it(
    count: int,
) -> None:
    control = controlled(count, None)
    ports = Ports(control)
    ports.intervals(50)
    control.adopt([make_port(settings(0), 120_000, 0.02, hold=Hold(120_000))])
    assert control.limits_to_write()[0] == 120_000
    for _ in range(100):
        ports.intervals(1)
        assert 0 not in control.limits_to_write()
    ports.snapshots[0] = replace(ports.snapshots[0], limit_bytes=5_000)
    control.decide(ports.snapshots, MemoryPool(None))
    assert control.limits_to_write()[0] == 120_000


@both_ways
def test_a_port_is_taken_back_at_the_limit_that_was_held(count: int) -> None:
    control = controlled(count, Hold(120_000))
    ports = Ports(control)
    ports.intervals(50)
    control.adopt([make_port(settings(0), 120_000, 0.02)])
    for _ in range(200):
        ports.intervals(1)
    assert ports.snapshots[0].limit_bytes > 120_000

"""Which ports need people first."""

import math
from dataclasses import replace

import pytest
from p4abs.policies import Binding
from p4abs.telemetry.concern import Concern, Figures, concern_of

FINE = Figures(
    utilization=0.98,
    loss=0.02,
    utilization_target=0.98,
    loss_target=0.02,
    binding=Binding.LOSS,
    is_unreachable=False,
    is_broken=False,
    is_used=True,
)


@pytest.mark.parametrize(
    ("changes", "concern"),
    [
        ({}, Concern.FINE),
        ({"loss": 0.0399}, Concern.FINE),
        ({"loss": 0.0401}, Concern.MISSED),
        ({"utilization": 0.95}, Concern.MISSED),
        ({"utilization": 0.5, "loss": 0.0}, Concern.FINE),
        ({"utilization": None, "loss": 0.01}, Concern.FINE),
        ({"loss": 0.2, "is_unreachable": True}, Concern.UNREACHABLE),
        ({"binding": Binding.MAX_LIMIT}, Concern.BOUND),
        ({"binding": Binding.MAX_DELAY}, Concern.BOUND),
        ({"binding": Binding.MIN_LIMIT}, Concern.FINE),
        ({"loss": 0.2, "is_broken": True, "is_unreachable": True}, Concern.BROKEN),
        ({"loss": 0.2, "is_used": False, "is_unreachable": True}, Concern.UNUSED),
    ],
)
def test_the_worst_thing_about_a_port_is_told(changes, concern) -> None:
    assert concern_of(replace(FINE, **changes), 1.0, True) is concern


def test_a_link_that_idles_without_losing_anything_misses_nothing() -> None:
    assert replace(FINE, utilization=0.1, loss=0.0).excess == 0


def test_ports_of_a_lost_switch_are_silent_and_those_without_traffic_are_not() -> None:
    assert concern_of(FINE, 1.0, is_in_control=False) is Concern.SILENT
    assert concern_of(None, math.inf, is_in_control=False) is Concern.SILENT
    assert concern_of(FINE, 60.0, is_in_control=True) is Concern.UNUSED
    assert concern_of(None, math.inf, is_in_control=True) is Concern.UNUSED
    broken = replace(FINE, is_broken=True)
    assert concern_of(broken, 60.0, is_in_control=False) is Concern.BROKEN


def test_every_concern_has_words() -> None:
    assert len({concern.text for concern in Concern}) == len(Concern)

"""The sizing of a link that is no queue disc, and scenarios in which it is another one."""

from dataclasses import replace
from typing import Any

from p4abs_experiments.network.links import Sizing
from p4abs_experiments.network.scenario import Scenario


def sizing_of(scenario: Scenario, link: str | None = None) -> Sizing:
    """That of a link, by default the first."""
    sizing = scenario.link(link).sizing
    assert sizing is not None, f"{scenario.name}: a queue disc"
    return sizing


def resized(scenario: Scenario, link: str | None = None, **changes: Any) -> Scenario:
    """The scenario with changes to that sizing."""
    return scenario.with_sizing(replace(sizing_of(scenario, link), **changes), link)

"""Which simulations are the same, as canonical JSON."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.links import Link
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.network.scenario import Scenario

_LABELS = {"name", "n_flows"}
"""Fields of a scenario that say nothing about what happens in it."""

_LATER = {
    "declared_capacity_bps",
    "capacity_changes",
    "stalls",
    "outages",
    "pauses",
    "pools",
    "variation",
    "ecn",
    "ecn_marking",
}
"""Fields that are left out at their defaults, so that keys of before they existed still hold."""


def simulation_json(cell: Cell) -> str:
    """The cell without its labels, as canonical JSON: equal for equal simulations.

    A link of fixed limit is described by that limit, whichever policy or formula gave it.
    """
    scenario = _without_labels(cell.scenario)
    scenario["links"] = [_link(link) for link in cell.scenario.links]
    return _canonical({"scenario": scenario, "seed": cell.seed})


def optimum_key_of(scenario: Scenario, link: str | None = None) -> str:
    """The scenario without its sizing but the targets, and the link whose optimum is meant."""
    plain = _without_labels(scenario)
    plain["links"] = [_targets(each) for each in scenario.links]
    return _canonical({"scenario": plain, "link": scenario.link(link).name})


def _without_labels(scenario: Scenario) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(scenario)
    return {name: value for name, value in plain.items() if name not in _LABELS}


def _link(link: Link) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(link)
    fixed = fixed_limit_bytes(link)
    if fixed is not None:
        plain["sizing"] = {"limit_bytes": fixed}
        plain.pop("declared_capacity_bps", None)
    return plain


def _targets(link: Link) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(link)
    plain.pop("declared_capacity_bps", None)
    if link.sizing is not None:
        plain["sizing"] = {"utilization": link.sizing.utilization, "loss": link.sizing.loss}
    return plain


def _plain(value: Any) -> Any:
    """Dataclasses as objects with their type, tuples as lists, whole numbers as integers."""
    if is_dataclass(value) and not isinstance(value, type):
        named = ((field, getattr(value, field.name)) for field in fields(value))
        return {"type": type(value).__name__} | {
            field.name: _plain(item)
            for field, item in named
            if field.name not in _LATER or item != field.default
        }
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)

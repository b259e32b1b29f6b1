"""Which simulations are the same, as canonical JSON."""

import json
from collections.abc import Collection, Mapping
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
    "queues",
    "variation",
    "ecn",
    "ecn_marking",
}
"""Fields that are left out at their defaults, so that keys of before they existed still hold."""


def simulation_json(cell: Cell) -> str:
    """The cell without its labels, as canonical JSON: equal for equal simulations.

    A link of fixed limit is described by that limit, whichever policy or formula gave it.
    """
    return seeded_json(scenario_json(cell.scenario), cell.seed)


def seeded_json(scenario: str, seed: int) -> str:
    """The same of a scenario that is canonical JSON already."""
    return f'{{"scenario":{scenario},"seed":{seed}}}'


def scenario_json(scenario: Scenario) -> str:
    """What cells have in common that differ in their seeds and labels only."""
    return _canonical(_scenario(scenario, [_link(link) for link in scenario.links]))


def optimum_key_of(scenario: Scenario, link: str | None = None) -> str:
    """The scenario without its sizing but the targets, and the link whose optimum is meant."""
    plain = _scenario(scenario, [_targets(each) for each in scenario.links])
    return _canonical({"scenario": plain, "link": scenario.link(link).name})


def _scenario(scenario: Scenario, links: list[dict[str, Any]]) -> dict[str, Any]:
    return _object(scenario, {*_LABELS, "links"}) | {"links": links}


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
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return _object(value) if is_dataclass(value) else value


def _object(value: Any, left_out: Collection[str] = ()) -> dict[str, Any]:
    """A dataclass without some of its fields."""
    plain: dict[str, Any] = {"type": type(value).__name__}
    for field in fields(value):
        item = getattr(value, field.name)
        is_told = field.name not in _LATER or item != field.default
        if is_told and field.name not in left_out:
            plain[field.name] = _plain(item)
    return plain


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)

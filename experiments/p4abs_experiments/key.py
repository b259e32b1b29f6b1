"""What a result depends on, as canonical JSON and as a key for the store."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import p4abs.policies
from p4abs.interval import Interval
from p4abs.policies import Policy, Targets, create
from p4abs.policies.rules.rule import SizingRule
from p4abs.policies.static import Static

from p4abs_experiments.cell import Cell
from p4abs_experiments.network import Link, P4Buffer, Scenario, Sizing

P4_PROGRAM = Path(__file__).resolve().parents[2] / "p4src" / "build" / "queue.json"
"""The program `queue` as compiled: it admits and drops at every P4Buffer."""

_SIMULATOR = ("simulate.py", "sources.py", "control.py", "record.py")

_NOTHING_HAPPENED = Interval(1.0, 0, 0, 0)

_LABELS = {"name", "n_flows"}
"""Fields of a scenario that say nothing about what happens in it."""


def policy_of(sizing: Sizing, capacity_bps: int) -> Policy[Any]:
    """The policy that sets a link's limit. Raises PolicyError."""
    targets = Targets(
        sizing.utilization,
        sizing.loss,
        sizing.max_delay_s,
        sizing.min_limit_bytes,
        sizing.max_limit_bytes,
    )
    return create(sizing.policy, capacity_bps, targets, **sizing.parameters)


def fixed_limit_bytes(link: Link) -> int | None:
    """The limit of a link that keeps one from beginning to end; None when a policy adapts it, or
    where there is none to set."""
    if link.sizing is None or link.sizing.memory:
        return None
    created = policy_of(link.sizing, link.capacity_bps)
    if not isinstance(created, Static | SizingRule):
        return None
    policy: Policy[Any] = created
    _, decision = policy.step(policy.start(link.sizing.initial_limit_bytes), _NOTHING_HAPPENED)
    return decision.limit_bytes


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


def key_of(cell: Cell) -> str:
    """The store's key: SHA-256 of the simulation and of the code that it runs."""
    digests = [simulator_digest()]
    if any(isinstance(link.buffer, P4Buffer) for link in cell.scenario.links):
        digests.append(_digest_of([P4_PROGRAM]))
    digests += [_policy_digest(policy) for policy in _adaptive_policies(cell)]
    return hashlib.sha256("\n".join([simulation_json(cell), *digests]).encode()).hexdigest()


@cache
def simulator_digest() -> str:
    """Of the compiled simulator (with the P4 engine in it) and of the Python around it."""
    here = Path(__file__).parent
    compiled = find_spec(f"{__package__}._ns3")
    binaries = [Path(compiled.origin)] if compiled is not None and compiled.origin else []
    return _digest_of([*binaries, *(here / name for name in _SIMULATOR)])


def _adaptive_policies(cell: Cell) -> list[type[Policy[Any]]]:
    """The classes of the policies that move a limit while the simulation runs."""
    adaptive = {
        type(policy_of(link.sizing, link.capacity_bps))
        for link in cell.scenario.links
        if link.sizing is not None and fixed_limit_bytes(link) is None
    }
    return sorted(adaptive, key=lambda policy: policy.name)


@cache
def _policy_digest(policy: type[Policy[Any]]) -> str:
    package = Path(p4abs.policies.__file__).parent
    sources = [_source(package, name) for name in policy_modules(policy)]
    return _digest_of([*sources, package.parent / "control" / "port_control.py"])


def policy_modules(policy: type[Policy[Any]]) -> list[str]:
    """The modules of `p4abs.policies` that a policy runs: its own and those imported from there."""
    folder, prefix = Path(p4abs.policies.__file__).parent, f"{p4abs.policies.__name__}."
    found = [policy.__module__.removeprefix(prefix)]
    for name in found:
        tree = ast.parse(_source(folder, name).read_bytes())
        imported = {
            node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        }
        names = {each.removeprefix(prefix) for each in imported if each.startswith(prefix)}
        found += names - set(found)
    return sorted(found)


def _source(package: Path, module: str) -> Path:
    return package.joinpath(*module.split(".")).with_suffix(".py")


@cache
def _digest_of_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _digest_of(paths: Iterable[Path]) -> str:
    text = "".join(f"{path.name} {_digest_of_file(path)}\n" for path in paths)
    return hashlib.sha256(text.encode()).hexdigest()


def _without_labels(scenario: Scenario) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(scenario)
    return {name: value for name, value in plain.items() if name not in _LABELS}


def _link(link: Link) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(link)
    fixed = fixed_limit_bytes(link)
    if fixed is not None:
        plain["sizing"] = {"limit_bytes": fixed}
    return plain


def _targets(link: Link) -> dict[str, Any]:
    plain: dict[str, Any] = _plain(link)
    if link.sizing is not None:
        plain["sizing"] = {"utilization": link.sizing.utilization, "loss": link.sizing.loss}
    return plain


def _plain(value: Any) -> Any:
    """Dataclasses as objects with their type, tuples as lists, whole numbers as integers."""
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        return {"type": type(value).__name__, **named}
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)

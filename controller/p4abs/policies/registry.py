"""The sizing policies by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from p4abs.policies.corrected import Abs
from p4abs.policies.paper import AbsPaper, AbsPaperAbs
from p4abs.policies.policy import InvalidParameter, Policy, Targets, UnknownPolicy
from p4abs.policies.static import Static

POLICIES: Mapping[str, type[Policy[Any]]] = {
    Abs.name: Abs,
    AbsPaper.name: AbsPaper,
    AbsPaperAbs.name: AbsPaperAbs,
    Static.name: Static,
}


def default_parameters(name: str) -> dict[str, Any]:
    """The parameters of policy ``name`` with their defaults. Raises UnknownPolicy."""
    return {
        field.name: field.default
        for field in fields(_known(name))  # type: ignore[arg-type]
        if field.name not in ("capacity_bps", "targets")
    }


def create(name: str, capacity_bps: float, targets: Targets, **parameters: Any) -> Policy[Any]:
    """Policy ``name`` for a port of ``capacity_bps``, with its own ``parameters``.

    Raises UnknownPolicy, InvalidParameter and InvalidTarget; the message of each says what would
    be valid.
    """
    valid = default_parameters(name)
    for parameter, value in parameters.items():
        if parameter not in valid:
            choice = ", ".join(valid) or "none"
            raise InvalidParameter(f"{name}: unknown parameter {parameter!r}; valid: {choice}")
        if not isinstance(value, int | float):
            raise InvalidParameter(f"{name}: {parameter}={value!r}: must be a number")
    factory: Any = POLICIES[name]
    policy: Policy[Any] = factory(capacity_bps, targets, **parameters)
    return policy


def _known(name: str) -> type[Policy[Any]]:
    try:
        return POLICIES[name]
    except KeyError:
        raise UnknownPolicy(
            f"unknown policy {name!r}; valid: {', '.join(sorted(POLICIES))}"
        ) from None

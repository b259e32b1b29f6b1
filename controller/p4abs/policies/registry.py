"""The sizing policies by name: the project's own, and those that other packages register."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from p4abs.policies.abs import Abs
from p4abs.policies.abs_paper import AbsPaper, AbsPaperAbs
from p4abs.policies.adt import Adt
from p4abs.policies.dql import Dql
from p4abs.policies.policy import InvalidParameter, Policy, Targets, UnknownPolicy
from p4abs.policies.rules import Bdp, Bscl, DelayCap, Fluid, Fpq, Stanford
from p4abs.policies.static import Static

_CLASSES: tuple[type[Policy[Any]], ...] = (
    Abs,
    AbsPaper,
    AbsPaperAbs,
    Adt,
    Bdp,
    Bscl,
    DelayCap,
    Dql,
    Fluid,
    Fpq,
    Stanford,
    Static,
)

ENTRY_POINT_GROUP = "p4abs.policies"


class _Policies(Mapping[str, type[Policy[Any]]]):
    """By name. A registered policy's module is imported when the policy is asked for."""

    def __init__(self) -> None:
        self._own = {policy.name: policy for policy in _CLASSES}

    @cached_property
    def _registered(self) -> dict[str, EntryPoint]:
        return {each.name: each for each in entry_points(group=ENTRY_POINT_GROUP)}

    def __getitem__(self, name: str) -> type[Policy[Any]]:
        if name in self._own:
            return self._own[name]
        found: type[Policy[Any]] = self._registered[name].load()
        return found

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._registered

    def __iter__(self) -> Iterator[str]:
        return iter({**self._own, **self._registered})

    def __len__(self) -> int:
        return len({**self._own, **self._registered})


POLICIES: Mapping[str, type[Policy[Any]]] = _Policies()

_ELSEWHERE = {
    "abs-1": "abs-1 has been removed; use abs, without the parameters of abs-1",
    "p4bs": "p4bs comes with the experiments; install the package p4abs-experiments",
}


def why_unknown(name: str) -> str:
    """Why `name` is none of the policies, and what to use in its place."""
    return _ELSEWHERE.get(name) or f"unknown policy; valid: {', '.join(sorted(POLICIES))}"


def required_parameters(name: str) -> tuple[str, ...]:
    """The parameters of policy `name` that have no default. Raises UnknownPolicy."""
    return tuple(field.name for field in _parameters(name) if field.default is MISSING)


def create(name: str, capacity_bps: float, targets: Targets, /, **parameters: Any) -> Policy[Any]:
    """Policy `name` for a port of `capacity_bps`, with its own `parameters`.

    None is no value: such a parameter has its default. Raises UnknownPolicy, InvalidParameter and
    InvalidTarget; the message of each says what would be valid.
    """
    valid = [field.name for field in _parameters(name)]
    given = {parameter: value for parameter, value in parameters.items() if value is not None}
    for parameter, value in parameters.items():
        if parameter not in valid:
            choice = ", ".join(valid) or "none"
            raise InvalidParameter(f"{name}: unknown parameter {parameter!r}; valid: {choice}")
        if not isinstance(value, int | float | None):
            raise InvalidParameter(f"{name}: {parameter}={value!r}: must be a number")
    missing = [parameter for parameter in required_parameters(name) if parameter not in given]
    if missing:
        raise InvalidParameter(f"{name}: this policy requires parameters: {', '.join(missing)}")
    factory: Any = POLICIES[name]
    policy: Policy[Any] = factory(capacity_bps, targets, **given)
    return policy


def _parameters(name: str) -> list[Field[Any]]:
    policy: Any = _known(name)
    shared = ("capacity_bps", "targets")
    return [field for field in fields(policy) if field.init and field.name not in shared]


def _known(name: str) -> type[Policy[Any]]:
    try:
        return POLICIES[name]
    except KeyError:
        raise UnknownPolicy(f"{name!r}: {why_unknown(name)}") from None

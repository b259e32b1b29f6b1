"""The policies with their laws and parameters, from their modules."""

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any

from p4abs.policies import POLICIES

from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table

_OF_THE_PORT = ("capacity_bps", "targets")


def policies() -> str:
    """A table of all, then each with its law as its module tells it."""
    named = sorted(POLICIES)
    overview = table(("policy", "what it does", "required"), map(_overview, named))
    return overview + "\n" + "\n".join(_section(*each) for each in _by_module(named))


def _by_module(names: list[str]) -> Iterator[tuple[list[str], Any]]:
    """The policies that share a module, and their module."""
    modules: dict[str, list[str]] = {}
    for name in names:
        modules.setdefault(POLICIES[name].__module__, []).append(name)
    return ((shared, sys.modules[module]) for module, shared in modules.items())


def _overview(name: str) -> tuple[str, str, str]:
    named, _, does = inspect.cleandoc(_text(name)).splitlines()[0].partition(": ")
    if code(name) not in named.partition(" and ")[0]:
        told = inspect.cleandoc(POLICIES[name].__doc__ or "").splitlines()[0]
        does = told[:1].lower() + told[1:]
    required = [each for each in _parameters(name) if _is_required(each)]
    return code(name), does, ", ".join(code(_key(each)) for each in required)


def _section(names: list[str], module: Any) -> str:
    title = " and ".join(names)
    parameters = "".join(
        table((f"parameter of {name}", "default"), map(_row, _parameters(name))) + "\n"
        for name in names
        if _parameters(name)
    )
    about = "".join(f"{_about(name)}\n\n" for name in names if _parameters(name))
    return f"## {title}\n\n{inspect.cleandoc(module.__doc__)}\n\n{about}{parameters}"


def _text(name: str) -> str:
    text = sys.modules[POLICIES[name].__module__].__doc__
    if not text or ": " not in text:
        raise Undescribed(f"policy {name}: its module begins with no `name`: what it does")
    return text


def _about(name: str) -> str:
    """What the class says of its parameters. Raises Undescribed for one that it does not name."""
    policy: Any = POLICIES[name]
    known = "\n".join([_text(name), *(each.__doc__ or "" for each in policy.__mro__)])
    for parameter in _parameters(name):
        if f"`{parameter.name}`" not in known:
            raise Undescribed(f"policy {name}: parameter {parameter.name}")
    told = inspect.getdoc(policy) or ""
    return re.sub(r"`(\w+)`", lambda found: code(found[1].replace("_", "-")), told)


def _parameters(name: str) -> list[Field[Any]]:
    policy: Any = POLICIES[name]
    return [each for each in fields(policy) if each.init and each.name not in _OF_THE_PORT]


def _is_required(parameter: Field[Any]) -> bool:
    return parameter.default is MISSING


def _row(parameter: Field[Any]) -> tuple[str, str]:
    if _is_required(parameter):
        default = "required"
    else:
        default = "measured" if parameter.default is None else f"{parameter.default:g}"
    return code(_key(parameter)), default


def _key(parameter: Field[Any]) -> str:
    return parameter.name.replace("_", "-")

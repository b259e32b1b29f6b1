"""From a path in the code to the file that defines its name.

A name that a module only passes on leads to the module that defines it: an import through a
facade is an import of the file behind it.
"""

from collections.abc import Mapping

from checks.rust.modules import Module
from checks.rust.uses import UsePath

Crates = Mapping[str, Module]

# The names that have been looked up on the way, so that the search ends.
_Followed = frozenset[tuple[Module, str]]


def resolve(crates: Crates, module: Module, path: UsePath) -> Module | None:
    """The module that defines `path`, as written in `module`; nothing if it is not ours."""
    return _resolve(crates, module, path, frozenset())


def _resolve(crates: Crates, module: Module, path: UsePath, followed: _Followed) -> Module | None:
    first, *rest = path
    if first == "self":
        return _walk(crates, module, rest, followed)
    if first == "super":
        return _walk(crates, module.parent or module, rest, followed)
    if first == "crate":
        return _walk(crates, module.root, rest, followed)
    found = _find(crates, module, list(path), followed)
    if found is None and first in crates:
        return _walk(crates, crates[first], rest, followed)
    return found


def _walk(crates: Crates, module: Module, path: list[str], followed: _Followed) -> Module | None:
    """Follows the rest of a path whose beginning has led to `module`."""
    if not path:
        return module
    if path[0] == "super":
        return _walk(crates, module.parent or module, path[1:], followed)
    return _find(crates, module, path, followed) or module


def _find(crates: Crates, module: Module, path: list[str], followed: _Followed) -> Module | None:
    """Where a path leads that begins with a name of `module`; nothing if it has no such name."""
    first, *rest = path
    if first in module.children:
        return _walk(crates, module.children[first], rest, followed)
    if first in module.definitions:
        return module
    for use in module.uses:
        step = (module, first if use.name == first else f"{use.path}::*")
        if step not in followed and use.name == first:
            return _resolve(crates, module, (*use.path, *rest), followed | {step})
        if step not in followed and use.name == "*":
            source = _resolve(crates, module, use.path, followed | {step})
            found = source and _find(crates, source, path, followed | {step})
            if found is not None:
                return found
    return None

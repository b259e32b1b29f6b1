"""Which of the house's own modules a module runs, read from its source."""

import ast
from collections.abc import Collection, Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, resolve_name
from pathlib import Path

PACKAGES = ("p4abs", "p4abs_experiments")


def modules_behind(*modules: str, without: Collection[str] = ()) -> list[str]:
    """The modules and all that they import from PACKAGES, directly or not, in ascending order.

    Of a package's front page only those names count that are taken from it. What stands in
    `without` is neither listed nor followed.
    """
    found = list(dict.fromkeys(modules))
    for module in found:
        imported = dict.fromkeys(_imported_by(module))
        found += [each for each in imported if each not in found and each not in without]
    return sorted(found)


@cache
def source_of(module: str) -> Path | None:
    """The file of a module of PACKAGES, source or compiled; None when there is none."""
    package, _, name = module.partition(".")
    spec = find_spec(package) if package in PACKAGES else None
    if spec is None or spec.origin is None:
        return None
    place = Path(spec.origin).parent.joinpath(*name.split("."))
    beside = (place.with_name(f"{place.name}{end}") for end in (".py", *EXTENSION_SUFFIXES))
    return next((path for path in (*beside, place / "__init__.py") if path.exists()), None)


@cache
def _imported_by(module: str) -> tuple[str, ...]:
    return tuple(
        home
        for importing, name, _ in _imports(module)
        if (home := _home(importing, name)) is not None
    )


def _home(module: str, name: str) -> str | None:
    """The module that defines `name` as imported from `module`; None outside of PACKAGES."""
    inner = f"{module}.{name}" if name else module
    if source_of(inner) is not None:
        return inner
    source = source_of(module)
    if source is None:
        return None
    if source.name == "__init__.py":
        for importing, imported, bound in _imports(module):
            if bound == name:
                return _home(importing, imported)
    return module


def _imports(module: str) -> Iterator[tuple[str, str, str]]:
    """Every import of a source: the module, the name taken from it ("": none) and what it is
    called."""
    source = source_of(module)
    if source is None or source.suffix != ".py":
        return
    package = module if source.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(source.read_bytes())):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, "", alias.asname or alias.name
        elif isinstance(node, ast.ImportFrom):
            importing = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:
                yield importing, alias.name, alias.asname or alias.name

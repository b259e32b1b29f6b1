"""Every path of the crates that leads from one file to another."""

import re
import tomllib
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from checks.rust.modules import Module, read_crate
from checks.rust.resolve import Crates, resolve
from checks.rust.uses import UsePath
from checks.sources import Reference, Sources

_PATH = re.compile(r"(?<![\w:.])\$?[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)+")
# A name that is looked up where it stands: not part of a path, not a field or method.
_NAME = re.compile(r"(?<!::)(?<!\w)(?<![^.]\.)[A-Za-z_]\w*")


def read_rust(repository: Path, workspace: Path) -> Sources:
    """All files of the workspace's crates that are built without tests."""
    libraries: dict[str, Module] = {}
    roots: list[Module] = []
    for manifest in sorted((repository / workspace).glob("*/Cargo.toml")):
        settings = tomllib.loads(manifest.read_text())
        name = settings.get("lib", {}).get("name", settings["package"]["name"])
        for root in _roots(manifest.parent / "src"):
            module = read_crate(repository, root.relative_to(repository))
            roots.append(module)
            if root.name == "lib.rs":
                libraries[name.replace("-", "_")] = module
    modules = [module for root in roots for module in root.walk()]
    references = chain.from_iterable(_references(libraries, module) for module in modules)
    return Sources(frozenset(module.path for module in modules), tuple(references))


def _roots(folder: Path) -> Iterator[Path]:
    for pattern in ("lib.rs", "main.rs", "bin/*.rs", "bin/*/main.rs"):
        yield from sorted(folder.glob(pattern))


def _references(crates: Crates, module: Module) -> Iterator[Reference]:
    for line, path in chain(_used(module), _written(module)):
        target = resolve(crates, module, path)
        if target is not None and target is not module:
            yield Reference(module.path, line, target.path, path[-1])
    if any(use.name == "*" for use in module.uses):
        yield from _brought_in_unnamed(crates, module)


def _used(module: Module) -> Iterator[tuple[int, UsePath]]:
    """What use declarations bring in by name; what is only passed on does not count."""
    written = set(_NAME.findall(module.text))
    for use in module.uses:
        is_variants = use.name == "*" and use.path[-1][0].isupper()
        is_named = use.name != "*" and (not use.is_reexport or use.name in written)
        if is_variants or is_named:
            yield use.line, use.path


def _written(module: Module) -> Iterator[tuple[int, UsePath]]:
    """The paths in the code."""
    for match in _PATH.finditer(module.text):
        path = tuple(part.strip() for part in match[0].lstrip("$").split("::"))
        yield module.line(match.start()), path


def _brought_in_unnamed(crates: Crates, module: Module) -> Iterator[Reference]:
    """Names in the code that come by way of a `use ...::*`."""
    seen = {"crate", "self", "super"}
    for match in _NAME.finditer(module.text):
        name = match[0]
        if name not in seen:
            seen.add(name)
            target = resolve(crates, module, (name,))
            if target is not None and target is not module and name in target.definitions:
                yield Reference(module.path, module.line(match.start()), target.path, name)

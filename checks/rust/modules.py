"""The modules of a crate: files, what each defines, brings in, and holds below it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from checks.errors import SourceError
from checks.rust.text import code
from checks.rust.uses import Use, uses, without_uses

_CHILD = re.compile(r"\bmod\s+(\w+)\s*;")
_DEFINITION = re.compile(r"\b(?:fn|struct|enum|trait|type|const|static|union)\s+(\w+)")


@dataclass(eq=False)
class Module:
    """A file of a crate. Modules written inside of a file count as that file."""

    path: Path
    parent: "Module | None"
    text: str
    uses: list[Use]
    children: "dict[str, Module]" = field(default_factory=dict)

    @property
    def root(self) -> "Module":
        """The crate's root."""
        return self if self.parent is None else self.parent.root

    @cached_property
    def definitions(self) -> set[str]:
        """The items of the file, by name; what stands inside of an item is not among them."""
        return set(_DEFINITION.findall(_outside_of_braces(self.text)))

    def line(self, position: int) -> int:
        """The number of the line at a position of the text."""
        return self.text.count("\n", 0, position) + 1

    def walk(self) -> Iterator["Module"]:
        """This module and all below it."""
        yield self
        for child in self.children.values():
            yield from child.walk()


def read_crate(repository: Path, root: Path) -> Module:
    """The modules that are built from the root file `root`, those for tests left out.

    Raises `SourceError` for a module without a file.
    """
    return _module(repository, root, None, root.parent)


def _module(repository: Path, path: Path, parent: Module | None, below: Path) -> Module:
    """`below` is the folder in which the module's children lie."""
    text = code((repository / path).read_text())
    module = Module(path, parent, without_uses(text), list(uses(text)))
    for name in _CHILD.findall(text):
        flat, folder = below / f"{name}.rs", below / name / "mod.rs"
        child = flat if (repository / flat).is_file() else folder
        if not (repository / child).is_file():
            raise SourceError(f"{path}: mod {name} has no file")
        module.children[name] = _module(repository, child, module, below / name)
    return module


def _outside_of_braces(text: str) -> str:
    kept = []
    depth = 0
    for part in re.split(r"([{}])", text):
        if part in "{}":
            depth += 1 if part == "{" else -1
        elif depth == 0:
            kept.append(part)
    return " ".join(kept)

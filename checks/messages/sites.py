"""Where a source makes an error, and what its message looks like."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from checks.sources import is_test, source_files, statements, syntax_tree

ELSEWHERE = "made elsewhere: "
"""Begins a listed message whose text the source only passes on, as of another error."""

# Errors of libraries whose text users read.
_FOREIGN = frozenset({"ValueError", "OSError", "ClickException", "UsageError", "BadParameter"})
# Below these all errors of our own stand; other errors are defects, which users should not see.
_ROOTS = _FOREIGN | {"Exception"}


@dataclass(frozen=True)
class Site:
    """A call that makes an error. `texts` are the message's constant parts, in order."""

    path: Path
    call: ast.Call
    texts: tuple[str, ...]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(".*".join(map(re.escape, self.texts)))

    @property
    def says_nothing(self) -> bool:
        """Whether the text is made elsewhere."""
        return not "".join(self.texts).strip(" :;,.'\"()")

    def can_say(self, listed: str) -> bool:
        """Whether a listed message can come from here."""
        is_passed_on = listed.startswith(ELSEWHERE)
        if self.says_nothing:
            return is_passed_on
        return not is_passed_on and bool(self._pattern.search(listed))

    def as_listed(self, message: str) -> str:
        """The line of the list for what has been heard from here."""
        return f"{ELSEWHERE}{message}" if self.says_nothing else message

    @property
    def template(self) -> str:
        """The message with `...` for what varies."""
        return "...".join(self.texts)

    def __str__(self) -> str:
        return f"{self.path}:{self.call.lineno}: {self.template}"


def error_classes(trees: dict[Path, ast.Module]) -> frozenset[str]:
    """The names of all classes that are errors, with those of libraries."""
    bases = {name: its for tree in trees.values() for name, its in _classes_in(tree).items() if its}
    known = set(_ROOTS)
    while more := {name for name, its in bases.items() if its & known} - known:
        known |= more
    return frozenset(known - {"Exception"})


def read_trees(root: Path, package: Path) -> dict[Path, ast.Module]:
    """The package's sources without tests; raises `SourceError`."""
    paths = (package / path for path in source_files(root / package, {".py"}))
    return {path: syntax_tree(root, path) for path in paths if not is_test(path)}


def sites_in(path: Path, tree: ast.Module, errors: frozenset[str]) -> Iterator[Site]:
    """The calls that make an error: of its class, or of what gives one to `raise`."""
    errors -= {name for name, bases in _classes_in(tree).items() if not bases & (errors | _ROOTS)}
    raised = {node.exc for node in statements(tree) if isinstance(node, ast.Raise)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or _is_defect(node, errors):
            continue
        if node in raised or _classes(node.func) & errors:
            yield Site(path, node, _texts(node))


def _classes_in(tree: ast.Module) -> dict[str, set[str]]:
    """Each class with the names of its bases."""
    return {
        node.name: {_last_name(base) for base in node.bases}
        for node in statements(tree)
        if isinstance(node, ast.ClassDef)
    }


def _is_defect(call: ast.Call, errors: frozenset[str]) -> bool:
    """Whether it makes an error that is no message to users, such as a KeyError."""
    name = _last_name(call.func)
    return name.endswith("Error") and name not in errors


def _classes(function: ast.expr) -> set[str]:
    """The names that a call may be of: two of a choice."""
    if isinstance(function, ast.IfExp):
        return _classes(function.body) | _classes(function.orelse)
    return {_last_name(function)}


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _texts(call: ast.Call) -> tuple[str, ...]:
    """The constant parts of the argument that says most."""
    arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
    return max((tuple(_constants(each)) for each in arguments), key=_length, default=())


def _length(texts: tuple[str, ...]) -> int:
    return sum(map(len, texts))


def _constants(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from filter(None, [" ".join(node.value.split())])
    elif isinstance(node, ast.JoinedStr):
        for part in node.values:
            yield from _constants(part)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _constants(node.left)
        yield from _constants(node.right)

"""Descriptions that stand in the source, as a text below what they describe."""

import ast
import inspect
from collections.abc import Iterable, Mapping
from itertools import pairwise
from types import ModuleType
from typing import TypeVar

from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import one_line

Text = TypeVar("Text")


def descriptions(of: type | ModuleType) -> Mapping[str, str]:
    """By the names that a class or a module gives values to."""
    [tree] = ast.parse(inspect.getsource(of)).body if isinstance(of, type) else [_module(of)]
    assert isinstance(tree, ast.ClassDef | ast.Module)
    found: dict[str, str] = {}
    for statement, after in pairwise(tree.body):
        match after:
            case ast.Expr(ast.Constant(str(text))):
                found.update((name, one_line(text)) for name in _names(statement))
    return found


def described(of: type | ModuleType, names: Iterable[str]) -> Mapping[str, str]:
    """The descriptions of all these names. Raises Undescribed."""
    found = descriptions(of)
    for name in names:
        if name not in found:
            raise Undescribed(f"{of.__name__}.{name}: no description stands below it")
    return found


def text_of(what: str, texts: Mapping[str, Text], name: str, module: str) -> Text:
    """What a module of this folder says of a name; `what` is in the error. Raises Undescribed."""
    if name not in texts:
        raise Undescribed(f"{what}: {module} does not describe it")
    return texts[name]


def _module(of: ModuleType) -> ast.Module:
    return ast.parse(inspect.getsource(of))


def _names(statement: ast.stmt) -> Iterable[str]:
    match statement:
        case ast.AnnAssign(target=ast.Name(name)):
            yield name
        case ast.Assign(targets=[ast.Name(name)]):
            yield name

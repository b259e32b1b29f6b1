"""Which Python file imports which other.

Every import statement counts, also inside of functions and of `if TYPE_CHECKING`. The readers of
import-linter and grimp want importable packages; the scripts of bench, ptf-tests and mininet are
none, so the statements are resolved here, against the import roots of mypy in pyproject.toml.
"""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from checks.sources import Reference, Sources, is_test, source_files, statements, syntax_tree


@dataclass(frozen=True)
class _Import:
    """`module` is dotted and absolute; `name` is what `from` takes of it."""

    line: int
    module: str
    name: str | None


def read_python(root: Path) -> Sources:
    """All Python files of the repository but tests. Raises `SourceError`."""
    files = frozenset(path for path in source_files(root, {".py", ".pyi"}) if not is_test(path))
    modules = _modules(files, _import_roots(root))
    names = {path: name for name, path in modules.items()}
    references = (
        reference
        for path in sorted(files)
        for reference in _references(root, path, names.get(path, ""), modules)
    )
    return Sources(files, tuple(references))


def _import_roots(root: Path) -> list[Path]:
    settings = tomllib.loads((root / "pyproject.toml").read_text())
    return [Path(), *(Path(path) for path in settings["tool"]["mypy"]["mypy_path"])]


def _modules(files: frozenset[Path], roots: list[Path]) -> dict[str, Path]:
    """Module name -> file. A file below several roots has a name for each, the shortest last."""
    modules: dict[str, Path] = {}
    for import_root in roots:
        for path in sorted(files):
            if path.is_relative_to(import_root):
                parts = path.relative_to(import_root).with_suffix("").parts
                modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return modules


def _references(
    root: Path, path: Path, module: str, modules: dict[str, Path]
) -> Iterator[Reference]:
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    for statement in _imports(syntax_tree(root, path), package):
        whole = f"{statement.module}.{statement.name}"
        imported = modules.get(whole) or modules.get(statement.module)
        if imported is not None and imported != path:
            yield Reference(path, statement.line, imported, statement.name or statement.module)


def _imports(tree: ast.Module, package: str) -> Iterator[_Import]:
    for node in statements(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield _Import(node.lineno, alias.name, None)
        elif isinstance(node, ast.ImportFrom):
            module = _absolute(node, package)
            for alias in node.names:
                yield _Import(node.lineno, module, alias.name)


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    base = parts[: len(parts) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])

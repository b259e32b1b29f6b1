"""A pytest plugin that writes the lists of messages: `pytest -p checks.messages.recording TESTS`.

It compiles the houses' sources so that each error's message is kept with the call that made it.
A listed message stays while its source can still say it; a message that is new is listed in the
shortest form that the tests have caused. What tests cause in other processes is not seen.
"""

import ast
import builtins
from collections import defaultdict
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

from checks.messages.findings import agreed, sites_of
from checks.messages.houses import HOUSES
from checks.messages.listing import format_listing, normalized, parse
from checks.messages.sites import Site

_ROOT = Path.cwd()
_ORDINARY = SourceFileLoader.get_code
_NAME = "_keep_message"
_HOUSES = [house for house in HOUSES if (_ROOT / house.package).is_dir()]
_SITES = {path: its for house in _HOUSES for path, its in sites_of(_ROOT, house.package).items()}
_HEARD: dict[tuple[Path, int, int], set[str]] = defaultdict(set)


class _Keeping(ast.NodeTransformer):
    """Passes the errors that are made at sites through `_keep`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places = {(site.call.lineno, site.call.col_offset) for site in _SITES[path]}

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if (node.lineno, node.col_offset) not in self._places:
            return node
        place = [ast.Constant(each) for each in (str(self._path), node.lineno, node.col_offset)]
        return ast.Call(ast.Name(_NAME, ast.Load()), [*place, node], [])


def _keep(path: str, line: int, column: int, error: object) -> object:
    if isinstance(error, Exception):
        _HEARD[Path(path), line, column].add(normalized(str(error), _ROOT))
    return error


def _get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
    path = Path(loader.path)
    own = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path
    if own not in _SITES:
        return _ORDINARY(loader, name)
    tree = _Keeping(own).visit(ast.parse(path.read_text(encoding="utf-8")))
    code: CodeType = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
    return code


def _heard_by(site: Site) -> str | None:
    heard = _HEARD.get((site.path, site.call.lineno, site.call.col_offset), ())
    return min(
        filter(site.can_say, map(site.as_listed, heard)),
        key=lambda said: (len(said), said),
        default=None,
    )


# As this plugin is loaded: conftest.py files import the houses before pytest is configured.
setattr(builtins, _NAME, _keep)
SourceFileLoader.get_code = _get_code  # type: ignore[method-assign, assignment]


def pytest_sessionfinish() -> None:
    """Writes the lists."""
    for house in _HOUSES:
        sites = {path: its for path, its in _SITES.items() if path.is_relative_to(house.package)}
        file = _ROOT / house.messages
        listed = parse(file.read_text(encoding="utf-8")) if file.exists() else {}
        messages = {
            path: _lines(its, agreed(its, listed.get(path, ()))) for path, its in sites.items()
        }
        file.write_text(format_listing(messages, house.update), encoding="utf-8")


def _lines(sites: list[Site], listed: frozenset[str]) -> frozenset[str]:
    unlisted = (site for site in sites if not any(map(site.can_say, listed)))
    return listed | {heard for site in unlisted if (heard := _heard_by(site))}

"""Use declarations of Rust."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_USE = re.compile(r"(?P<visibility>\bpub(?:\s*\([^)]*\))?\s+)?\buse\s+(?P<tree>[^;]+);")
_TOKEN = re.compile(r"\w+|::|[{},*]")

UsePath = tuple[str, ...]


@dataclass(frozen=True)
class Use:
    """One name that a declaration brings into its module; `*` stands for all of a module's."""

    line: int
    name: str
    path: UsePath
    is_reexport: bool


def uses(code: str) -> Iterator[Use]:
    """Every name that the use declarations of the code bring in."""
    for match in _USE.finditer(code):
        line = code.count("\n", 0, match.start("tree")) + 1
        tokens = _TOKEN.findall(match["tree"])
        for name, path in _tree(tokens, ()):
            yield Use(line, name, path, match["visibility"] is not None)


def without_uses(code: str) -> str:
    """The code with its use declarations blanked."""
    return _USE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), code)


def _tree(tokens: list[str], prefix: UsePath) -> Iterator[tuple[str, UsePath]]:
    """Takes one tree of a use declaration off `tokens`."""
    path = prefix
    while tokens:
        token = tokens.pop(0)
        if token == "{":
            while tokens[0] != "}":
                yield from _tree(tokens, path)
                if tokens[0] == ",":
                    tokens.pop(0)
            tokens.pop(0)
            return
        if token == "*":
            yield "*", path
            return
        if token != "::":
            path = path if token == "self" and path else (*path, token)
            if not tokens or tokens[0] != "::":
                if tokens and tokens[0] == "as":
                    del tokens[0]
                    yield tokens.pop(0), path
                else:
                    yield path[-1], path
                return

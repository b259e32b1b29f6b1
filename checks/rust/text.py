"""Rust source in which only the code that is built without tests is left."""

import re

_NO_CODE = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | \bb?c?r(?P<hashes>\#*)".*?"(?P=hashes)
      | "(?:\\.|[^"\\])*"
      | '(?:\\[^'\n]+|\\'|[^\\'\n])'
    """,
    re.DOTALL | re.VERBOSE,
)
_TESTS_ONLY = re.compile(r"#\[cfg\((?:test|all\(test\b[^\]]*)\)\]")
_ATTRIBUTE = re.compile(r"\s*#\[[^\]]*\]")
_CHARACTERS = re.compile(r"[^\n]")


def code(source: str) -> str:
    """The source with comments, strings and items of `cfg(test)` blanked; lines keep their place.

    Attributes other than `cfg(test)` stay.
    """
    text = _NO_CODE.sub(lambda match: _blank(match[0]), source)
    while match := _TESTS_ONLY.search(text):
        end = _end_of_item(text, match.end())
        text = text[: match.start()] + _blank(text[match.start() : end]) + text[end:]
    return text


def _blank(text: str) -> str:
    return _CHARACTERS.sub(" ", text)


def _end_of_item(text: str, position: int) -> int:
    """Behind the `;` or the closing brace that ends the item at `position`."""
    while attribute := _ATTRIBUTE.match(text, position):
        position = attribute.end()
    depth = 0
    is_use = re.match(r"\s*(?:pub(?:\([^)]*\))?\s+)?use\b", text[position:]) is not None
    for index in range(position, len(text)):
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(text[index], 0)
        if depth == 0 and (text[index] == ";" or (text[index] == "}" and not is_use)):
            return index + 1
    return len(text)

"""The constants of P4 files as a Python module, so that no number is kept in two places."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_DEFINITION = re.compile(r"#define\s+(?P<name>[A-Z]\w*)\s+(?P<value>\S+)")
_CONSTANT = re.compile(r"const\s+\w+\s+(?P<name>[A-Z]\w*)\s*=\s*(?P<value>[^;]+);")
_HEAD = '''"""Constants of the P4 programs, written from p4src by `make p4-constants`."""

'''


class ConstantError(Exception):
    """A constant of the P4 source is not a plain number; the message names it."""


def python_module(sources: Iterable[Path]) -> str:
    """The text of a Python module with every constant of P4 files. Raises ConstantError."""
    lines = [
        f"{name} = {value}\n"
        for source in sources
        for name, value in _constants(source.read_text())
    ]
    return _HEAD + "".join(lines)


def _constants(text: str) -> Iterator[tuple[str, str]]:
    for line in text.splitlines():
        found = _DEFINITION.match(line) or _CONSTANT.match(line)
        if found is None:
            continue
        name, value = found["name"], found["value"].strip()
        try:
            int(value, 0)
        except ValueError:
            raise ConstantError(f"{name}: {value} is not a plain number") from None
        yield name, value.upper().replace("X", "x")  # as ruff writes them

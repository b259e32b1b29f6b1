"""Where each setting was written, so that an error can point there."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p4abs.errors import UserError, one_line
from p4abs.files import read_text

Key = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\- ]+?)\s*\]\]?\s*(#.*)?")
_ASSIGNMENT = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


class ConfigError(UserError):
    """A setting that is not valid; the message says where it was written and what would be."""


@dataclass
class Source:
    """Settings as nested tables, and for each the place where it was written.

    Places are kept by kebab-case names; `loss_gain` has the place of `loss-gain`.
    """

    tables: dict[str, Any] = field(default_factory=dict)
    places: dict[Key, str] = field(default_factory=dict)

    def place(self, key: Key) -> str | None:
        """The place of a setting, or else of the nearest table around it.

        That of an array of tables is its first one's.
        """
        names = _kebab(key)
        for length in range(len(names), -1, -1):
            for written in (names[:length], (*names[:length], 0)):
                if written in self.places:
                    return self.places[written]
        return None

    def part(self, *key: str | int) -> "Source":
        """A table among these settings, as a source of its own."""
        tables: Any = self.tables
        for name in key:
            tables = tables[name]
        length, around = len(key), self.place(key)
        places = {k[length:]: place for k, place in self.places.items() if k[:length] == key}
        return Source(tables, places if around is None else {(): around, **places})


def read_toml(path: Path) -> Source:
    """Reads a TOML file. Raises ConfigError with the line of a syntax error."""
    try:
        # Some editors begin a file with a mark of its encoding, which TOML does not know.
        text = read_text(path, "utf-8-sig")
        tables = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_syntax_error(path, text, one_line(str(error)))) from None
    except (ValueError, RecursionError) as error:  # numbers too long, or too many brackets
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    return Source(tables, _places(path, text))


def shown(value: object) -> str:
    """A setting's value as messages have it."""
    try:
        text = repr(value)
    except ValueError:
        return "a number of thousands of digits"
    return text if len(text) <= 60 else text[:57] + "..."


def _syntax_error(path: Path, text: str, message: str) -> str:
    """tomllib says `... (at line 3, column 7)` or `... (at end of document)`."""
    position = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if position is None:
        line, message = len(text.splitlines()), message.removesuffix(" (at end of document)")
        return f"{path}:{line}: {message} at the end of the file"
    return f"{path}:{position[1]}: {message[: position.start()]} in column {position[2]}"


def _places(path: Path, text: str) -> dict[Key, str]:
    """The line of every table header and every key, as far as plain TOML goes."""
    places: dict[Key, str] = {(): str(path)}
    counts: dict[Key, int] = {}
    table: Key = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            names = [name.strip() for name in header[2].split(".")]
            table = _table(names, header[1] == "[[", counts)
            places[_kebab(table)] = f"{path}:{number}"
        elif assignment := _ASSIGNMENT.match(line):
            places[_kebab((*table, assignment[1]))] = f"{path}:{number}"
    return places


def _table(names: Sequence[str], is_array: bool, counts: dict[Key, int]) -> Key:
    """The table that a header begins; `counts` holds the last index of each array of tables."""
    table: Key = ()
    for name in names[:-1]:
        table += (name,)
        if table in counts:
            table += (counts[table],)
    table += (names[-1],)
    if is_array:
        counts[table] = counts.get(table, -1) + 1
        table += (counts[table],)
    return table


def _kebab(key: Key) -> Key:
    return tuple(part.replace("_", "-") if isinstance(part, str) else part for part in key)

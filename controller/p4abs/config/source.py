"""Where each setting was written, so that an error can point there."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from itertools import chain
from pathlib import Path
from typing import Any

from p4abs.errors import UserError, one_line, shown
from p4abs.files import read_text

Key = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\- ]+?)\s*\]\]?\s*(#.*)?")
_TWICE = re.compile(r"Cannot declare \((.+?)\) twice")
_ASSIGNMENT = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


class ConfigError(UserError):
    """A setting that is not valid; the message says where it was written and what would be."""


@dataclass(frozen=True)
class Place:
    """Where something was written, which makes no difference between settings: all are equal."""

    text: str = field(default="", compare=False)


def shown_in_toml(value: object) -> str:
    """A value as messages quote it, see `shown`, in TOML's spelling: `true`, `2026-01-31`."""
    return shown(_Spelt(value))


@dataclass(frozen=True)
class _Spelt:
    value: object

    def __repr__(self) -> str:
        match self.value:
            case bool():
                return str(self.value).lower()
            case date() | time():  # a time with its date is a date, too
                return self.value.isoformat()
            case list():
                return f"[{', '.join(repr(_Spelt(each)) for each in self.value)}]"
            case dict():
                pairs = (f"{key} = {_Spelt(each)!r}" for key, each in self.value.items())
                return f"{{{', '.join(pairs)}}}"
        return repr(self.value)


class Source(dict[str, Any]):
    """A table of settings, and where it and its keys were written; empty: nobody knows.

    The tables in it are sources, too. `places` are by the keys in kebab-case.
    """

    def __init__(
        self,
        table: Mapping[str, Any] = {},
        place: str = "",
        places: Mapping[str, str] = {},
    ) -> None:
        super().__init__({key: _as_source(value) for key, value in table.items()})
        self.place = place
        self.places = places

    def place_of(self, *key: str | int) -> str:
        """The place of a setting, or else of the nearest table around it, for messages.

        That of an array of tables is its first one's.
        """
        return self._find(key) or "settings"

    def _find(self, key: Key) -> str:
        if not key:
            return self.place
        value, rest = self.get(str(key[0])), key[1:]
        if isinstance(value, list) and value:
            position = rest[0] if rest and isinstance(rest[0], int) else 0
            value, rest = value[position], rest[1:]
        found = value._find(rest) if isinstance(value, Source) else ""
        return found or self.places.get(kebab(str(key[0]))) or self.place

    def over(self, below: "Source") -> "Source":
        """Both tables in a new one; where they meet, this one holds. Parameters add up."""
        table = {**below, **self}
        parameters, others = self.get("parameters"), below.get("parameters")
        if isinstance(parameters, Source) and isinstance(others, Source):
            table["parameters"] = parameters.over(others)
        return Source(table, self.place or below.place, {**below.places, **self.places})

    def with_keys(self, **values: Any) -> "Source":
        """A new one, in which these keys have other values."""
        return Source({**self, **values}, self.place, self.places)

    def without(self, *keys: str) -> "Source":
        """A new one without these keys."""
        table = {key: value for key, value in self.items() if key not in keys}
        places = {key: place for key, place in self.places.items() if key not in keys}
        return Source(table, self.place, places)


def place_named(value: Any, words: Sequence[str]) -> str:
    """The place of the setting in a table, or in tables, whose key is the earliest of the words.

    Keys of a table come before those of tables in it.
    """
    for table in value if isinstance(value, list) else [value]:
        if isinstance(table, Source):
            own = (table.places[word] for word in words if word in table.places)
            inner = (
                place_named(each, words) or _place_around(table, name, words)
                for name, each in table.items()
            )
            if found := next(filter(None, chain(own, inner)), ""):
                return found
    return ""


def _place_around(table: Source, name: str, words: Sequence[str]) -> str:
    """That of a table in a line of its own, `name = { ... }`, if it has one of the words as key."""
    inner = table[name]
    has_one = isinstance(inner, Source) and any(kebab(key) in words for key in inner)
    return table.places.get(kebab(name), "") if has_one else ""


def _as_source(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_source(each) for each in value]
    is_other = isinstance(value, dict) and not isinstance(value, Source)
    return Source(value) if is_other else value


def read_toml(path: Path) -> Source:
    """Reads a TOML file. Raises ConfigError with the line of a syntax error."""
    try:
        # Some editors begin a file with a mark of its encoding, which TOML does not know.
        text = read_text(path, "utf-8-sig")
        tables = tomllib.loads(text)
        source: Source = _located(tables, str(path), _lines(path, text), ())
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(_syntax_error(path, text, one_line(str(error)))) from None
    except RecursionError:
        raise ConfigError(f"{path}: tables or arrays are nested too deep") from None
    except ValueError:  # Python reads no longer ones
        raise ConfigError(f"{path}: a number has thousands of digits") from None
    return source


def kebab(name: str) -> str:
    """A name as files spell it."""
    return name.replace("_", "-")


def _syntax_error(path: Path, text: str, message: str) -> str:
    """tomllib says `... (at line 3, column 7)` or `... (at end of document)`."""
    message = message.replace("Cannot overwrite a value", "the key of this line is written twice")
    message = re.sub(
        _TWICE, lambda found: f"the table {_dotted(found[1])} is written twice", message
    )
    position = re.search(r" \(at line (\d+), column (\d+)\)$", message)
    if position is None:
        line, message = len(text.splitlines()), message.removesuffix(" (at end of document)")
        at_end = "" if message.endswith("is written twice") else " at the end of the file"
        return f"{path}:{line}: {message}{at_end}"
    message = message[: position.start()]
    hint = "; write text and quantities in quotes" if message == "Invalid value" else ""
    return f"{path}:{position[1]}: {message} in column {position[2]}{hint}"


def _dotted(names: str) -> str:
    """The name of a table from the tuple of its parts, as Python writes it."""
    return ".".join(re.findall(r"'([^']*)'", names))


def _located(value: Any, place: str, lines: Mapping[Key, str], key: Key) -> Any:
    """The value with the places of all its tables; `place` is that of what is around it."""
    place = lines.get(key, place)
    if isinstance(value, list):
        return [_located(each, place, lines, (*key, index)) for index, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    inner = {name: (*key, kebab(name)) for name in value}
    table = {name: _located(each, place, lines, inner[name]) for name, each in value.items()}
    places = {kebab(name): lines[at] for name, at in inner.items() if at in lines}
    return Source(table, place, places)


def _lines(path: Path, text: str) -> dict[Key, str]:
    """The line of every table header and every key, as far as plain TOML goes."""
    lines: dict[Key, str] = {}
    counts: dict[Key, int] = {}
    table: Key = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.fullmatch(line):
            names = [kebab(name.strip()) for name in header[2].split(".")]
            table = _table(names, header[1] == "[[", counts)
            lines[table] = f"{path}:{number}"
        elif assignment := _ASSIGNMENT.match(line):
            lines[*table, kebab(assignment[1])] = f"{path}:{number}"
    return lines


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

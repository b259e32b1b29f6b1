"""Reads a runtime file: what is wrong in it is told before anything is sent to a switch."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finsy.proto import p4i, p4r

from p4abs.access.program import InvalidP4Info, Program, parse_p4info
from p4abs.errors import one_line
from p4abs.files import read_bytes
from p4abs.runtime.entries import Entry, clone_session, is_comment, multicast_group, table_entry
from p4abs.runtime.error import RuntimeFileError

_KEYS = (
    "target",
    "p4info",
    "bmv2_json",
    "table_entries",
    "multicast_group_entries",
    "clone_session_entries",
)


@dataclass(frozen=True, slots=True)
class PlacedUpdate:
    """An update and where in the file it comes from."""

    place: str
    update: p4r.Update


@dataclass(frozen=True, slots=True)
class RuntimeFile:
    """A program and its entries, in the order of the file."""

    path: Path
    program: Program
    updates: tuple[PlacedUpdate, ...]


def read_runtime_file(path: Path, directory: Path) -> RuntimeFile:
    """Reads a runtime file; the program's files that it names are looked up in `directory`.

    Raises RuntimeFileError.
    """
    content = _content(path)
    try:
        program = _program(content, directory)
        return RuntimeFile(path, program, tuple(_updates(program.p4info, content)))
    except RuntimeFileError as error:
        raise RuntimeFileError(f"{path}: {error}") from None


def _content(path: Path) -> Mapping[str, Any]:
    try:
        content = json.loads(read_bytes(path))
    except OSError as error:
        raise RuntimeFileError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise RuntimeFileError(f"{path}: not JSON: {error}") from None
    if not isinstance(content, dict):
        raise RuntimeFileError(f"{path}: not an object with the keys {', '.join(_KEYS)}")
    return content


def _program(content: Mapping[str, Any], directory: Path) -> Program:
    for key in content:
        if key not in _KEYS and not is_comment(key):
            raise RuntimeFileError(f'unknown key "{key}"; valid: {", ".join(_KEYS)}')
    if content.get("target", "bmv2") != "bmv2":
        raise RuntimeFileError(f'"target" is {content["target"]!r}; valid: "bmv2"')
    text = _read(content, "p4info", directory)
    try:
        p4info = parse_p4info(text.decode())
    except (InvalidP4Info, UnicodeDecodeError) as error:
        raise RuntimeFileError(
            f"{content['p4info']}: no P4Info in text form: {one_line(str(error))}"
        ) from None
    device_config = _read(content, "bmv2_json", directory) if "bmv2_json" in content else b""
    return Program(p4info, device_config)


def _read(content: Mapping[str, Any], key: str, directory: Path) -> bytes:
    name = content.get(key)
    if not isinstance(name, str):
        raise RuntimeFileError(f'"{key}" is {name!r}; it must name a file')
    try:
        return read_bytes(directory / name)
    except OSError as error:
        raise RuntimeFileError(
            f'"{key}": {directory / name}: {error.strerror}; --directory says where to look'
        ) from None


def _updates(p4info: p4i.P4Info, content: Mapping[str, Any]) -> Iterator[PlacedUpdate]:
    kinds: tuple[tuple[str, Callable[[Entry], p4r.Update]], ...] = (
        ("table_entries", lambda entry: table_entry(p4info, entry)),
        ("multicast_group_entries", multicast_group),
        ("clone_session_entries", clone_session),
    )
    for key, build in kinds:
        entries = content.get(key, [])
        if not isinstance(entries, list):
            raise RuntimeFileError(f'"{key}" must be a list')
        for position, entry in enumerate(entries):
            place = f"{key}[{position}]"
            try:
                yield PlacedUpdate(place, build(entry))
            except RuntimeFileError as error:
                raise RuntimeFileError(f"{place}: {error}") from None

"""Reads a runtime file: what is wrong in it is told before anything is sent to a switch."""

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from finsy.proto import p4i, p4r

from p4abs.access.program import (
    BUILDS,
    InvalidP4Info,
    Program,
    p4info_path,
    parse_p4info,
    program_path,
    why_no_p4info,
)
from p4abs.files import read_bytes
from p4abs.runtime.comparable import identity
from p4abs.runtime.entries import Entry, clone_session, is_comment, multicast_group, table_entry
from p4abs.runtime.values import EntriesRefused, RuntimeFileError, is_what, shown

_KEYS = (
    "target",
    "p4info",
    "bmv2_json",
    "table_entries",
    "multicast_group_entries",
    "clone_session_entries",
)
_WRITTEN_WITH = {"p4info": "--p4runtime-files", "bmv2_json": "-o"}  # by p4c-bm2-ss
_PART_OF_A_PROGRAM = (
    "part of a program, not a runtime file; a runtime file is JSON that names the program's P4Info "
    'as "p4info" and its compiled JSON as "bmv2_json"'
)
# Of BMv2's JSON, which a runtime file is taken for.
_PROGRAM_KEYS = {"pipelines", "header_types"}


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


def read_runtime_file(path: Path, directory: Path | None = None) -> RuntimeFile:
    """Reads a runtime file; the program's files that it names are looked up in `directory`. None:
    beside the file, which a configuration names.

    Raises RuntimeFileError; EntriesRefused, with all that is wrong with entries, where the rest is
    right.
    """
    content = _content(path, is_configured=directory is None)
    try:
        program = _program(content, lambda key: _file_of(content, key, path, directory))
        updates, reasons = _updates(program.p4info, content)
    except RuntimeFileError as error:
        raise RuntimeFileError(f"{path}: {error}") from None
    if reasons:
        raise EntriesRefused([f"{path}: {reason}" for reason in reasons])
    return RuntimeFile(path, program, tuple(updates))


def _content(path: Path, *, is_configured: bool) -> Mapping[str, Any]:
    try:
        content = json.loads(read_bytes(path))
    except OSError as error:
        is_relative = is_configured and not path.is_absolute()
        where = f"; a relative path of runtime begins at {Path.cwd()}" if is_relative else ""
        raise RuntimeFileError(f"{path}: {error.strerror}{where}") from None
    except (ValueError, RecursionError) as error:
        if path.suffix == ".p4" or ".p4info" in path.suffixes:
            raise RuntimeFileError(f"{path}: {_PART_OF_A_PROGRAM}") from None
        raise RuntimeFileError(f"{path}: not JSON: {_reason(error)}") from None
    if not isinstance(content, dict):
        raise RuntimeFileError(f"{path}: not an object with the keys {', '.join(_KEYS)}")
    return content


def _reason(error: ValueError | RecursionError) -> str:
    match error:
        case RecursionError():
            return "nested too deep"
        case UnicodeDecodeError():
            return "not text in UTF-8"
        case json.JSONDecodeError():
            return str(error)
    return "a number has thousands of digits"


def _file_of(content: Mapping[str, Any], key: str, path: Path, directory: Path | None) -> bytes:
    """The P4Info or the program, or that of an installed program; `directory` is as in
    read_runtime_file. Raises RuntimeFileError."""
    name = content.get(key)
    if not isinstance(name, str) or not name:
        raise RuntimeFileError(f'"{key}" {is_what(name)}; it must name a file')
    if name in BUILDS:
        program = program_path(name)
        return read_bytes(p4info_path(program) if key == "p4info" else program)
    file = (path.parent if directory is None else directory) / name
    try:
        return read_bytes(file)
    except OSError as error:
        where = "--directory says where to look"
        if directory is None:
            where = "it must be in the folder of the runtime file"
        raise RuntimeFileError(
            f'"{key}": {file}: {error.strerror}; {where}, and p4c-bm2-ss writes it with '
            f"{_WRITTEN_WITH[key]} {name}; for an installed program write its name: "
            f"{', '.join(BUILDS)}"
        ) from None


def _program(content: Mapping[str, Any], read: Callable[[str], bytes]) -> Program:
    if not _PROGRAM_KEYS.isdisjoint(content):
        raise RuntimeFileError(
            "a compiled program, not a runtime file; run it with `p4abs switch`, or name it in a "
            'runtime file as "bmv2_json"'
        )
    for key in content:
        if key not in _KEYS and not is_comment(key):
            raise RuntimeFileError(f"unknown key {shown(key)}; valid: {', '.join(_KEYS)}")
    if content.get("target", "bmv2") != "bmv2":
        raise RuntimeFileError(f'"target" {is_what(content["target"])}; valid: "bmv2"')
    text = read("p4info")
    try:
        p4info = parse_p4info(text.decode())
    except (InvalidP4Info, UnicodeDecodeError) as error:
        raise RuntimeFileError(
            f'"p4info": {content["p4info"]}: not a P4Info in text form: {why_no_p4info(error)}'
        ) from None
    return Program(p4info, _device_config(content, read))


def _device_config(content: Mapping[str, Any], read: Callable[[str], bytes]) -> bytes:
    """Empty where the file names none."""
    if "bmv2_json" not in content:
        return b""
    device_config = read("bmv2_json")
    if not device_config.lstrip().startswith(b"{"):
        raise RuntimeFileError(
            f'"bmv2_json": {content["bmv2_json"]}: not a program in BMv2\'s JSON; p4c writes '
            "it with `-o FILE.json`"
        )
    return device_config


def _updates(
    p4info: p4i.P4Info, content: Mapping[str, Any]
) -> tuple[list[PlacedUpdate], list[str]]:
    """The updates of a file, and what is wrong with entries that make none."""
    updates: list[PlacedUpdate] = []
    reasons: list[str] = []
    places: dict[Hashable, str] = {}
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
                update = build(entry)
            except RuntimeFileError as error:
                reasons.append(f"{place}: {error}")
                continue
            first = places.setdefault(identity(update.entity), place)
            if first == place:
                updates.append(PlacedUpdate(place, update))
            else:
                reasons.append(f"{place}: the same key as {first}")
    return updates, reasons

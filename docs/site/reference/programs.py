"""The registers, tables and packets of the P4 programs, from their P4Info and their source."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from finsy.proto import p4i
from google.protobuf import text_format

from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, one_line, table

_SOURCES = Path(__file__).resolve().parents[3] / "p4src"
_BUILDS = ("queue", "shared_queue", "virtual_queue")
_COMMENTED = re.compile(r"((?:^ *//.*\n)+)((?:^ *@id\(.*\n)+)", re.MULTILINE)
_ID = re.compile(r"@id\((0x[0-9a-fA-F]+)\)")


def registers() -> str:
    """Those that a comment in the source explains; others are the programs' own."""
    explained = _comments()
    rows = (
        (code(name), _width(register), str(register.size), _builds(builds), text)
        for name, (register, builds) in _objects("registers").items()
        if (text := explained.get(register.preamble.id))
    )
    return table(("register", "bits", "cells", "programs", "meaning"), rows)


def tables() -> str:
    actions = _actions()
    rows = (
        (code(name), _keys(each), _of(each, actions), str(each.size), _builds(builds))
        for name, (each, builds) in _objects("tables").items()
    )
    return table(("table", "keys", "actions", "entries", "programs"), rows)


def counters() -> str:
    rows = (
        (code(name), p4i.CounterSpec.Unit.Name(each.spec.unit).lower(), str(each.size))
        for name, (each, _) in _objects("counters").items()
    )
    return table(("counter", "unit", "cells"), rows)


def packets() -> str:
    rows = (
        (code(name), code(field.name), str(field.bitwidth))
        for name, (header, _) in _objects("controller_packet_metadata").items()
        for field in header.metadata
    )
    return table(("packet", "field", "bits"), rows)


@cache
def _p4info(build: str) -> p4i.P4Info:
    text = (_SOURCES / "build" / f"{build}.p4info.txtpb").read_text()
    return text_format.Parse(text, p4i.P4Info())


def _objects(kind: str) -> Mapping[str, tuple[Any, list[str]]]:
    """By name, each with the programs that have it."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for build in _BUILDS:
        for each in getattr(_p4info(build), kind):
            found.setdefault(each.preamble.alias, (each, []))[1].append(build)
    if not found:
        raise Undescribed(f"{kind}: no program has any")
    return found


def _actions() -> Mapping[int, Any]:
    return {each.preamble.id: each for each, _ in _objects("actions").values()}


@cache
def _comments() -> Mapping[int, str]:
    """What the source says above declarations, by their ids."""
    found: dict[int, str] = {}
    for file in sorted(_SOURCES.rglob("*.p4")):
        if "tna" in file.relative_to(_SOURCES).parts:
            continue
        for comment, declarations in _COMMENTED.findall(file.read_text()):
            text = one_line(comment.replace("//", ""))
            found.update((int(each, 16), text) for each in _ID.findall(declarations))
    return found


def _builds(builds: list[str]) -> str:
    return "all" if builds == [*_BUILDS] else ", ".join(map(code, builds))


def _width(register: Any) -> str:
    return str(register.type_spec.bitstring.bit.bitwidth)


def _keys(each: Any) -> str:
    kinds = p4i.MatchField.MatchType
    fields = (
        f"`{field.name}` ({kinds.Name(field.match_type).lower()}, {field.bitwidth} bits)"
        for field in each.match_fields
    )
    return ", ".join(fields)


def _of(each: Any, actions: Mapping[int, Any]) -> str:
    return ", ".join(_named(actions[reference.id]) for reference in each.action_refs)


def _named(action: Any) -> str:
    parameters: Iterator[str] = (each.name for each in action.params)
    return code(f"{action.preamble.alias}({', '.join(parameters)})")

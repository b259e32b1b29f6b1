"""A program's BMv2 JSON, read."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from p4abs_switch._engine import EngineError, Switch
from p4abs_switch.errors import InputError

Document: TypeAlias = Mapping[str, Any]

_NOT_BMV2 = "not a BMv2 JSON program: "
"""How the engine's message begins."""


@dataclass(frozen=True, slots=True)
class LearnList:
    """What a digest tells: its number in BMv2's messages and the widths of its fields."""

    name: str
    number: int
    widths_bits: tuple[int, ...]


def parsed(program: bytes) -> Document:
    """The program in the format's newest form, of whatever version it is. Raises InputError."""
    try:
        document: Document = json.loads(Switch.current_form(program))
    except (EngineError, ValueError, RecursionError) as error:
        reason = str(error).removeprefix(_NOT_BMV2)
        raise InputError(f"is not a program in BMv2's JSON: {reason}") from None
    return document


class Widths:
    """Widths of fields in bits."""

    def __init__(self, document: Document) -> None:
        types = {
            item["name"]: {field[0]: field[1] for field in item["fields"]}
            for item in document["header_types"]
        }
        self._headers = {item["name"]: types[item["header_type"]] for item in document["headers"]}

    def of(self, target: list[str]) -> int:
        """The width of a key's target; validity is one bit."""
        width = self._headers.get(target[0], {}).get(target[-1], 1)
        return width if isinstance(width, int) else 1


def tables_of(document: Document) -> Iterator[Mapping[str, Any]]:
    """Its tables, those that p4c made of statements among them."""
    for pipeline in document["pipelines"]:
        yield from pipeline["tables"]


def learn_lists(document: Document) -> list[LearnList]:
    """The compiler gives all lists with one field the same name. A list whose fields differ from
    those of an earlier list of its name gets the engine's name for it."""
    widths, known = Widths(document), list[LearnList]()
    for item in document.get("learn_lists", ()):
        of_fields = tuple(
            4 * len(part["value"].removeprefix("0x"))
            if part["type"] == "hexstr"
            else widths.of(part["value"])
            for part in item["elements"]
        )
        name, number = item["name"], item["id"]
        if any(each.name == name and each.widths_bits != of_fields for each in known):
            name = f"{name}.{number}"
        known.append(LearnList(name, number, of_fields))
    return known

"""What is derived as P4Info of programs that came without one, beside what p4c says of them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from finsy.proto import p4i
from google.protobuf import text_format
from google.protobuf.json_format import MessageToDict
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.bmv2.symbols import aliases, ids
from p4abs_switch.errors import InputError

from .conftest import PROGRAMS
from .model import verify

NOT_IN_JSON = {
    ".actions.preamble.annotations",
    ".controllerPacketMetadata",
    ".digests.typeSpec.struct",
    ".digests.typeSpec.tuple",
    ".registers.typeSpec.bitstring.bit",
    ".registers.typeSpec.bitstring.int",
    ".tables.actionRefs.annotations",
    ".tables.actionRefs.scope",
    ".tables.initialDefaultAction",  # of tables with profiles
    ".tables.isConstTable",
    ".tables.matchFields.matchType",  # optional is ternary
    ".tables.size",  # of tables whose entries the program has
    ".typeInfo",
}

COLLIDING = ["t1445", "t4784"]
"""Names whose hashes have the same 24 bits."""


def differences(one: Any, other: Any, path: str = "") -> Iterator[str]:
    """Paths of fields, without indices, at which two messages differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one.keys() | other.keys():
            yield from differences(one.get(name), other.get(name), f"{path}.{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for each, beside in zip(one, other, strict=True):
            yield from differences(each, beside, path)
    elif one != other:
        yield path


def read_p4info(name: str) -> p4i.P4Info:
    text = (PROGRAMS / f"{name}.p4info.txtpb").read_text()
    return text_format.Parse(text, p4i.P4Info())


def by_name(message: p4i.P4Info) -> dict[str, Any]:
    found = MessageToDict(message)
    for objects in found.values():
        if isinstance(objects, list):
            objects.sort(key=lambda item: item["preamble"]["name"])
    return found


@pytest.mark.parametrize(
    "name", ["drop_through_parameter", "invalid_key", "kinds", "router", "resources"]
)
def test_names_ids_aliases_and_widths_are_p4c_s(name: str) -> None:
    derived = derive((PROGRAMS / f"{name}.json").read_bytes())
    compiled = read_p4info(name)
    assert len(derived.tables) == len(compiled.tables) > 0
    assert len(derived.actions) == len(compiled.actions) > 0
    assert set(differences(by_name(compiled), by_name(derived))) <= NOT_IN_JSON


def test_what_is_derived_describes_the_program(kinds_json: Path) -> None:
    json = kinds_json.read_bytes()
    derived = derive(json)
    verify(derived, json)
    [fixed] = [table for table in derived.tables if table.preamble.name == "KindsIngress.fixed"]
    assert (fixed.is_const_table, len(fixed.action_refs)) == (True, 2)


def test_of_two_names_that_hash_alike_the_later_has_the_next_id() -> None:
    first, second = COLLIDING
    alone = ids(p4i.P4Ids.TABLE, [first])[first]
    assert ids(p4i.P4Ids.TABLE, [second]) == {second: alone}
    assert ids(p4i.P4Ids.TABLE, [second, first]) == {first: alone, second: alone + 1}


def test_an_alias_is_the_shortest_ending_that_no_other_name_has() -> None:
    names = ["a.b.c", "x.b.c", "b.d", "c", "d.e", "f.g.h", "i.h"]
    assert aliases(names) == {
        "a.b.c": "a.b.c",
        "x.b.c": "x.b.c",
        "b.d": "d",
        "c": "c",
        "d.e": "e",
        "f.g.h": "g.h",
        "i.h": "i.h",
    }


@pytest.mark.parametrize(
    "json",
    [
        b"[]",
        b'{"pipelines": []}',
        (PROGRAMS / "kinds.json").read_bytes().replace(b'"lpm"', b'"other"'),
        (PROGRAMS / "resources.json").read_bytes().replace(b'"ResourcesIngress.hits"', b'"x"', 1),
    ],
)
def test_what_tells_of_no_p4info_is_said(json: bytes) -> None:
    with pytest.raises(InputError):
        derive(json)


def test_tables_that_the_compiler_makes_of_statements_are_left_out() -> None:
    program = Path(__file__).parents[1] / "pipeline/tests/programs/below_zero.json"
    derived = derive(program.read_bytes())
    assert [table.preamble.name for table in derived.tables] == ["TestIngress.constant"]
    assert [action.preamble.name for action in derived.actions] == ["TestIngress.set"]


def test_a_digest_that_several_statements_send_is_one() -> None:
    program = json.loads((PROGRAMS / "digest_of_a_tuple.json").read_bytes())
    [digest] = derive(json.dumps(program).encode()).digests
    [first] = program["learn_lists"]
    program["learn_lists"].append({**first, "id": first["id"] + 1})
    derived = derive(json.dumps(program).encode())
    assert list(derived.digests) == [digest]
    verify(derived, json.dumps(program).encode())

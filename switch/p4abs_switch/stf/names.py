"""A program's objects under the names that tests use.

p4c's driver for BMv2 takes a full name or any end of one that is unique, whole words or not; key
fields have rules of their own, which make `valid` and `stack$0.field` short for what the program
calls them.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from p4abs_switch.errors import InputError
from p4abs_switch.p4info_text import InvalidP4Info, parse_p4info
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.names import AnyObject, find
from p4abs_switch.runtime.names import Names as FullNames
from p4abs_switch.stf.errors import StfError

_STACK_ELEMENT = re.compile(r"\$(\d+)")


@dataclass(frozen=True)
class Names(FullNames):
    """What a test can name. Look-ups raise InputError.

    aliases: full names by shorter ones.
    """

    aliases: Mapping[str, str]

    def find(self, kind: str, name: str, objects: Iterable[AnyObject]) -> AnyObject:
        return find(kind, self.aliases.get(name, name), objects, separators=(".", ""))


def read_aliases(p4info: str) -> dict[str, str]:
    """From alias to full name, of a P4Info in text form. Raises StfError."""
    try:
        document = parse_p4info(p4info)
    except InvalidP4Info as error:
        raise StfError(f"is not P4Info in text form: {error}") from None
    kinds = (
        document.tables,
        document.action_profiles,
        document.registers,
        document.counters,
        document.meters,
        document.direct_counters,
    )
    return {item.preamble.alias: item.preamble.name for kind in kinds for item in kind}


def field_of(table: p4i.Table, name: str) -> p4i.MatchField:
    """The key field a test means. Raises InputError."""
    name = _STACK_ELEMENT.sub(r"[\1]", name)
    fields = {field.name: field for field in table.match_fields}
    stem = name.removesuffix(".valid") if name.endswith(".valid") else name
    for full in (name, f"{name}$", f"{name}.$valid$", f"{stem}.$valid$"):
        if full in fields:
            return fields[full]
    for full, field in fields.items():
        if full.endswith((f".{name}", f".{name}$", f".{stem}.$valid$")) or (
            name == "valid" and full.endswith("$valid$")
        ):
            return field
    valid = ", ".join(fields) or "none"
    raise InputError(f"table {table.preamble.name} has no key field {name}; valid: {valid}")

"""Values of P4 types as JSON has them: numbers in hexadecimal, structs by the names of members."""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from p4abs_switch.protobuf import p4d, p4t


class _Member(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def type_spec(self) -> Any: ...


def plain(types: p4t.P4TypeInfo, of: p4t.P4DataTypeSpec, data: p4d.P4Data) -> Any:
    """A value of a type of the P4Info; one of another form than its type tells is a text."""
    match data.WhichOneof("data"):
        case "bitstring":
            return _number(of.bitstring.bit.bitwidth, data.bitstring)
        case "bool":
            return data.bool
        case "struct":
            members = types.structs[of.struct.name].members if of.HasField("struct") else ()
            return _struct(types, members, data.struct.members)
        case "tuple":
            parts = zip(of.tuple.members, data.tuple.members, strict=False)
            return [plain(types, kind, value) for kind, value in parts]
        case "header":
            fields = types.headers[of.header.name].members if of.HasField("header") else ()
            return {
                field.name: _number(field.type_spec.bit.bitwidth, value)
                for field, value in zip(fields, data.header.bitstrings, strict=False)
            }
        case "enum" | "error":
            return data.enum or data.error
        case "enum_value":
            return _number(0, data.enum_value)
        case _:
            return " ".join(str(data).split())


def _struct(
    types: p4t.P4TypeInfo, members: Iterable[_Member], values: Iterable[p4d.P4Data]
) -> Mapping[str, Any]:
    pairs = zip(members, values, strict=False)
    return {member.name: plain(types, member.type_spec, value) for member, value in pairs}


def _number(width_bits: int, value: bytes) -> str:
    """With all digits of its width; of an unknown width with those that are told."""
    digits = (width_bits + 3) // 4 or 2 * len(value)
    return f"0x{int.from_bytes(value, 'big'):0{digits}x}"

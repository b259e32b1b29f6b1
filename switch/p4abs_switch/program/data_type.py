"""Types of digests, and their values as P4Data (P4Runtime 1.5, section 8.4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from finsy.proto import p4d, p4t

from p4abs_switch import bytestring
from p4abs_switch.status import invalid


@dataclass(frozen=True, slots=True)
class Bits:
    """`bit<W>`, or `int<W>` if signed."""

    width_bits: int
    signed: bool = False

    def data(self, values: Iterator[bytes]) -> p4d.P4Data:
        """Takes one value."""
        bits = int.from_bytes(next(values), "big")
        return p4d.P4Data(
            bitstring=bytestring.encode_bits(bits, self.width_bits, signed=self.signed)
        )


@dataclass(frozen=True, slots=True)
class Bool:
    """`bool`."""

    def data(self, values: Iterator[bytes]) -> p4d.P4Data:
        """Takes one value."""
        return p4d.P4Data(bool=any(next(values)))


@dataclass(frozen=True, slots=True)
class SerializableEnum:
    """An `enum` with an underlying type."""

    def data(self, values: Iterator[bytes]) -> p4d.P4Data:
        """Takes one value."""
        return p4d.P4Data(enum_value=bytestring.canonical(next(values)))


@dataclass(frozen=True, slots=True)
class Members:
    """A struct, or a tuple if `is_tuple`."""

    members: tuple["DataType", ...]
    is_tuple: bool = False

    def data(self, values: Iterator[bytes]) -> p4d.P4Data:
        """Takes the values of all members."""
        members = p4d.P4StructLike(members=[member.data(values) for member in self.members])
        return p4d.P4Data(tuple=members) if self.is_tuple else p4d.P4Data(struct=members)


DataType: TypeAlias = Bits | Bool | SerializableEnum | Members


def message(data_type: DataType, values: Sequence[bytes]) -> p4d.P4Data:
    """A value whose innermost fields the engine reports in order."""
    return data_type.data(iter(values))


def data_type(what: str, spec: p4t.P4DataTypeSpec, types: p4t.P4TypeInfo) -> DataType:
    """The type that a P4Info describes. Raises RequestError INVALID_ARGUMENT for other types."""
    match spec.WhichOneof("type_spec"):
        case "bitstring" if spec.bitstring.HasField("bit"):
            return Bits(spec.bitstring.bit.bitwidth)
        case "bitstring" if spec.bitstring.HasField("int"):
            return Bits(spec.bitstring.int.bitwidth, signed=True)
        case "bool":
            return Bool()
        case "serializable_enum":
            return SerializableEnum()
        case "tuple":
            parts = spec.tuple.members
            return Members(tuple(data_type(what, part, types) for part in parts), is_tuple=True)
        case "struct":
            members = types.structs[spec.struct.name].members
            return Members(tuple(data_type(what, m.type_spec, types) for m in members))
        case "new_type" if types.new_types[spec.new_type.name].HasField("original_type"):
            return data_type(what, types.new_types[spec.new_type.name].original_type, types)
        case other:
            raise invalid(
                f"{what} has a part of type {other}; supported: bit, int, bool, enums with an"
                " underlying type, structs and tuples of these, without translation"
            )

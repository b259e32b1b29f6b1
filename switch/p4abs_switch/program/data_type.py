"""Types of digests, and their values as P4Data (P4Runtime 1.5, section 8.4)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from finsy.proto import p4d, p4t

from p4abs_switch import bytestring
from p4abs_switch.status import invalid

_DEEPEST = 16
_MOST_PARTS = 4096


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


def leaves(data_type: DataType) -> int:
    """How many innermost fields a type has."""
    if isinstance(data_type, Members):
        return sum(map(leaves, data_type.members))
    return 1


def data_type(what: str, spec: p4t.P4DataTypeSpec, types: p4t.P4TypeInfo) -> DataType:
    """The type that a P4Info describes. Raises RequestError INVALID_ARGUMENT for other types."""
    return _Reader(what, types).read(spec, 0)


def check_depth(what: str, depth: int) -> None:
    """Raises RequestError INVALID_ARGUMENT where a type is so deep in others, or in itself."""
    if depth > _DEEPEST:
        raise invalid(
            f"{what} has types within types, more than {_DEEPEST} deep, or a type within itself",
        )


class _Reader:
    """Reads a type with all its parts."""

    def __init__(self, what: str, types: p4t.P4TypeInfo) -> None:
        self._what = what
        self._types = types
        self._parts = 0

    def read(self, spec: p4t.P4DataTypeSpec, depth: int) -> DataType:
        check_depth(self._what, depth)
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise invalid(f"{self._what} has more than {_MOST_PARTS} parts")
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
                return self._members(spec.tuple.members, depth, is_tuple=True)
            case "struct":
                members = self._types.structs[spec.struct.name].members
                return self._members([member.type_spec for member in members], depth)
            case "new_type" if self._new_type(spec).HasField("original_type"):
                return self.read(self._new_type(spec).original_type, depth + 1)
            case "new_type" if self._new_type(spec).translated_type.sdn_bitwidth:
                return Bits(self._new_type(spec).translated_type.sdn_bitwidth)
            case other:
                raise invalid(
                    f"{self._what} has a part of type {other}; supported: bit, int, bool, enums"
                    " with an underlying type, structs and tuples of these, no strings"
                )

    def _members(
        self, specs: Sequence[p4t.P4DataTypeSpec], depth: int, *, is_tuple: bool = False
    ) -> Members:
        return Members(tuple(self.read(spec, depth + 1) for spec in specs), is_tuple)

    def _new_type(self, spec: p4t.P4DataTypeSpec) -> p4t.P4NewTypeSpec:
        return self._types.new_types[spec.new_type.name]

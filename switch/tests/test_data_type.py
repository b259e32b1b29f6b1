"""Values of digests as P4Data (P4Runtime 1.5, section 8.4)."""

import pytest
from finsy.proto import p4d, p4t
from p4abs_switch.program.data_type import DataType, data_type, message


def _bits(width_bits: int) -> p4t.P4DataTypeSpec:
    spec = p4t.P4DataTypeSpec()
    spec.bitstring.bit.bitwidth = width_bits
    return spec


def _struct(*members: p4t.P4DataTypeSpec) -> DataType:
    """A struct with these members, whose second is a tuple of them."""
    types = p4t.P4TypeInfo()
    for member in members:
        types.structs["pair_t"].members.add().type_spec.CopyFrom(member)
    pair = types.structs["pair_t"].members.add()
    for member in members:
        pair.type_spec.tuple.members.add().CopyFrom(member)
    spec = p4t.P4DataTypeSpec()
    spec.struct.name = "pair_t"
    return data_type("digest", spec, types)


@pytest.mark.requirement("8.4.3-1")
def test_members_come_in_the_order_of_their_declaration() -> None:
    one, two, three, four = (p4d.P4Data(bitstring=bytes([value])) for value in (1, 2, 3, 4))
    inner = p4d.P4Data(tuple=p4d.P4StructLike(members=[three, four]))
    expected = p4d.P4Data(struct=p4d.P4StructLike(members=[one, two, inner]))
    values = [b"\x00\x01", b"\x02", b"\x00\x03", b"\x04"]
    assert message(_struct(_bits(16), _bits(8)), values) == expected


@pytest.mark.requirement("8.4.5-1")
def test_a_serializable_enum_is_its_value() -> None:
    spec = p4t.P4DataTypeSpec()
    spec.serializable_enum.name = "kind_t"
    found = message(data_type("digest", spec, p4t.P4TypeInfo()), [b"\x00\x07"])
    assert found == p4d.P4Data(enum_value=b"\x07")


def test_a_bool_is_true_or_false() -> None:
    spec = p4t.P4DataTypeSpec()
    spec.bool.SetInParent()
    boolean = data_type("digest", spec, p4t.P4TypeInfo())
    assert [message(boolean, [value]).bool for value in (b"\x00", b"\x01")] == [False, True]

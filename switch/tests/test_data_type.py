"""Values of digests as P4Data (P4Runtime 1.5, section 8.4)."""

from pathlib import Path

import pytest
from finsy.proto import p4d, p4t

from .controller import pipeline_config
from .entities import Entities
from .model import Model
from .test_digests import digest

_Spec = p4t.P4DataTypeSpec


def _bits(width_bits: int) -> _Spec:
    spec = _Spec()
    spec.bitstring.bit.bitwidth = width_bits
    return spec


def _told(
    program: Path, resources: Entities, specs: list[_Spec], values: list[bytes]
) -> p4d.P4Data:
    """What a digest, a struct of members of these types, tells of its two fields."""
    config = pipeline_config(program)
    members = config.p4info.type_info.structs["sighting_t"].members
    del members[:]
    for spec in specs:
        members.add().type_spec.CopyFrom(spec)
    model = Model(config)
    model.insert(digest(resources))
    model.device.deliver_digests([("sighting_t", values)])
    [told] = model.told()
    return told.digest.data[0]


@pytest.mark.requirement("8.4.3-1")
def test_members_come_in_the_order_of_their_declaration(
    resources_json: Path, resources: Entities
) -> None:
    inner = _Spec(tuple=p4t.P4TupleTypeSpec(members=[_bits(9)]))
    told = _told(resources_json, resources, [_bits(16), inner], [b"\x00\x01", b"\x02"])
    one, two = (p4d.P4Data(bitstring=bytes([value])) for value in (1, 2))
    nested = p4d.P4Data(tuple=p4d.P4StructLike(members=[two]))
    assert told == p4d.P4Data(struct=p4d.P4StructLike(members=[one, nested]))


@pytest.mark.requirement("8.4.5-1")
def test_a_serializable_enum_is_its_value_and_a_bool_true_or_false(
    resources_json: Path, resources: Entities
) -> None:
    enum = _Spec(serializable_enum=p4t.P4NamedType(name="kind_t"))
    boolean = _Spec(bool=p4t.P4BoolType())
    for value in (False, True):
        told = _told(resources_json, resources, [enum, boolean], [b"\x00\x07", bytes([value])])
        assert list(told.struct.members) == [
            p4d.P4Data(enum_value=b"\x07"),
            p4d.P4Data(bool=value),
        ]


@pytest.mark.requirement("8.4.6-2")
def test_digests_of_a_translated_type_are_numbers(
    resources_json: Path, resources: Entities
) -> None:
    port = _Spec(new_type=p4t.P4NamedType(name="port_id_t"))
    config = pipeline_config(resources_json)
    config.p4info.type_info.new_types["port_id_t"].translated_type.sdn_bitwidth = 32
    members = config.p4info.type_info.structs["sighting_t"].members
    members[1].type_spec.CopyFrom(port)
    model = Model(config)
    model.insert(digest(resources))
    model.device.deliver_digests([("sighting_t", [b"\x01", b"\x00\x05"])])
    [told] = model.told()
    assert told.digest.data[0].struct.members[1].bitstring == b"\x05"

"""The objects of a P4Info, and its agreement with the BMv2 JSON."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from finsy.proto import p4i, p4r, p4t

from .controller import pipeline_config
from .entities import Entities
from .model import Model, verify
from .refusals import RequestError
from .test_profiles import group, member

INVALID = grpc.StatusCode.INVALID_ARGUMENT


def test_an_unknown_id_is_answered_with_the_valid_ones(kinds: Model) -> None:
    with pytest.raises(RequestError, match=r"KindsIngress\.marks") as caught:
        kinds.read(p4r.Entity(register_entry=p4r.RegisterEntry(register_id=1)))
    assert caught.value.code is INVALID


@pytest.mark.requirement("8.4.6-1")
def test_a_register_of_a_new_type_has_the_width_of_what_it_is_made_from(
    kinds_json: Path, entities: Entities
) -> None:
    config = pipeline_config(kinds_json)
    marks = next(r for r in config.p4info.registers if r.preamble.alias == "marks")
    marks.type_spec.new_type.name = "mark_t"
    config.p4info.type_info.new_types["mark_t"].original_type.bitstring.bit.bitwidth = 12
    model, cell = Model(config), entities.cell("marks", 1, b"\x0f\xff")
    model.modify(cell)
    assert model.read(entities.cell("marks", 1)) == [cell]


def _meter(info: p4i.P4Info) -> None:
    info.meters.add().preamble.name = "culprit"


def _digest(info: p4i.P4Info) -> None:
    info.digests.add().preamble.name = "culprit"


def _action_profile(info: p4i.P4Info) -> None:
    info.action_profiles.add().preamble.name = "culprit"


def _struct_register(info: p4i.P4Info) -> None:
    register = info.registers.add()
    register.preamble.id, register.preamble.name = 5, "culprit"
    register.type_spec.struct.name = "pair_t"


def _no_id(info: p4i.P4Info) -> None:
    info.actions.add().preamble.name = "culprit"


def _same_id(info: p4i.P4Info) -> None:
    info.counters.add().CopyFrom(info.counters[0])
    info.counters[1].preamble.name = "culprit"


def _unknown_action(info: p4i.P4Info) -> None:
    info.tables[0].preamble.name = "culprit"
    info.tables[0].action_refs.add(id=99)


def _extern(info: p4i.P4Info) -> None:
    info.externs.add(extern_type_id=0x81, extern_type_name="culprit")


def _unknown_scope(info: p4i.P4Info) -> None:
    """GROUP_ACTION, which comes after version 1.5."""
    info.tables[0].preamble.name = "culprit"
    info.tables[0].action_refs[0].scope = 3  # type: ignore[assignment]


def _unknown_match_type(info: p4i.P4Info) -> None:
    info.tables[0].match_fields[0].name = "culprit"
    info.tables[0].match_fields[0].match_type = 77  # type: ignore[assignment]


def _half_bytes(info: p4i.P4Info) -> None:
    info.controller_packet_metadata[0].metadata.add(name="culprit", bitwidth=4)


@pytest.mark.parametrize(
    "spoil",
    [
        _meter,
        _digest,
        _action_profile,
        _struct_register,
        _no_id,
        _same_id,
        _unknown_action,
        _unknown_scope,
        _unknown_match_type,
        _extern,
    ],
)
@pytest.mark.requirement("8.1.1-2", "9.4-4", "9.7-5", "9.9-2")
def test_what_cannot_be_served_is_refused_by_name(
    kinds_p4info: p4i.P4Info, kinds_json: Path, spoil: Callable[[p4i.P4Info], None]
) -> None:
    spoil(kinds_p4info)
    with pytest.raises(RequestError, match="culprit") as caught:
        verify(kinds_p4info, kinds_json.read_bytes())
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


def _varbit(spec: p4t.P4DataTypeSpec) -> None:
    spec.bitstring.varbit.max_bitwidth = 32


def _header(spec: p4t.P4DataTypeSpec) -> None:
    spec.header.name = "ethernet_t"


def _header_union(spec: p4t.P4DataTypeSpec) -> None:
    spec.header_union.name = "ip_t"


def _header_stack(spec: p4t.P4DataTypeSpec) -> None:
    spec.header_stack.header.name = "tag_t"


def _enum(spec: p4t.P4DataTypeSpec) -> None:
    spec.enum.name = "kind_t"


def _error(spec: p4t.P4DataTypeSpec) -> None:
    spec.error.SetInParent()


@pytest.mark.requirement("8.3-9", "8.4.3-2", "8.4.5-2")
@pytest.mark.parametrize("spoil", [_varbit, _header, _header_union, _header_stack, _enum, _error])
@pytest.mark.parametrize("kind", ["registers", "digests"])
def test_types_of_data_that_are_not_served_are_refused_by_name(
    kinds_p4info: p4i.P4Info,
    kinds_json: Path,
    kind: str,
    spoil: Callable[[p4t.P4DataTypeSpec], None],
) -> None:
    owner = getattr(kinds_p4info, kind).add()
    owner.preamble.id, owner.preamble.name = 5, "culprit"
    spoil(owner.type_spec)
    with pytest.raises(RequestError, match="culprit") as caught:
        verify(kinds_p4info, kinds_json.read_bytes())
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize("kind", ["registers", "digests"])
def test_a_type_within_itself_is_refused_by_name(
    kinds_p4info: p4i.P4Info, kinds_json: Path, kind: str
) -> None:
    owner = getattr(kinds_p4info, kind).add()
    owner.preamble.id, owner.preamble.name = 5, "culprit"
    owner.type_spec.new_type.name = "loop_t"
    loop = kinds_p4info.type_info.new_types["loop_t"]
    loop.original_type.new_type.name = "loop_t"
    with pytest.raises(RequestError, match="culprit has types nested more than") as caught:
        verify(kinds_p4info, kinds_json.read_bytes())
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


def test_a_type_whose_parts_multiply_is_refused_by_name(
    kinds_p4info: p4i.P4Info, kinds_json: Path
) -> None:
    owner = kinds_p4info.digests.add()
    owner.preamble.id, owner.preamble.name = 5, "culprit"
    owner.type_spec.struct.name = "doubled_0"
    for number in range(15):
        members = kinds_p4info.type_info.structs[f"doubled_{number}"].members
        for name in ("left", "right"):
            members.add(name=name).type_spec.struct.name = f"doubled_{number + 1}"
    with pytest.raises(RequestError, match="culprit has more than"):
        verify(kinds_p4info, kinds_json.read_bytes())


def _translated_key_field(info: p4i.P4Info) -> None:
    info.tables[0].match_fields.add(name="culprit").type_name.name = "port_id_t"


def _translated_digest(info: p4i.P4Info) -> None:
    digest = info.digests.add()
    digest.preamble.id, digest.preamble.name = 5, "culprit"
    digest.type_spec.new_type.name = "port_id_t"


@pytest.mark.parametrize("translate", [_translated_key_field, _translated_digest])
def test_a_key_field_that_the_program_lacks_and_a_digest_of_strings_are_refused_by_name(
    kinds_p4info: p4i.P4Info, kinds_json: Path, translate: Callable[[p4i.P4Info], None]
) -> None:
    kinds_p4info.type_info.new_types["port_id_t"].translated_type.sdn_string.SetInParent()
    translate(kinds_p4info)
    with pytest.raises(RequestError, match="culprit") as caught:
        verify(kinds_p4info, kinds_json.read_bytes())
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("6.2-1")
def test_a_program_that_asks_for_more_than_the_switch_has_is_refused(
    kinds_p4info: p4i.P4Info, kinds_json: Path
) -> None:
    platform = kinds_p4info.pkg_info.platform_properties
    platform.multicast_group_table_size = 65_535
    platform.multicast_group_table_total_replicas = 1_000_000
    verify(kinds_p4info, kinds_json.read_bytes())
    platform.multicast_group_table_size = 65_536
    with pytest.raises(RequestError, match="65536 multicast groups") as caught:
        verify(kinds_p4info, kinds_json.read_bytes())
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("6.4.3-1")
@pytest.mark.parametrize(("counts_members", "is_full"), [(False, True), (True, False)])
def test_a_selector_counts_weights_unless_it_says_members(
    resources_json: Path, resources: Entities, counts_members: bool, is_full: bool
) -> None:
    config = pipeline_config(resources_json)
    [selector] = [p for p in config.p4info.action_profiles if p.with_selector]
    selector.max_group_size = 4
    if counts_members:
        selector.sum_of_members.SetInParent()
    model = Model(config)
    for number in (1, 2):
        model.insert(member(resources, "paths", number, number))
    wanted = group(resources, 1, {1: 2, 2: 3}, max_size=4)
    if is_full:
        with pytest.raises(RequestError, match="size 5; it holds 4"):
            model.insert(wanted)
    else:
        model.insert(wanted)


def test_a_controller_header_of_no_whole_bytes_is_taken_and_refused_when_it_is_used(
    kinds_json: Path,
) -> None:
    config = pipeline_config(kinds_json)
    _half_bytes(config.p4info)
    model = Model(config)
    metadata = [p4r.PacketMetadata(metadata_id=key, value=b"\0") for key in (0, 1, 2, 3)]
    packet = p4r.PacketOut(payload=b"payload", metadata=metadata)
    with pytest.raises(RequestError, match="packet_out has 20 bits"):
        model.send(packet)


def test_products_of_one_compilation_agree(kinds_p4info: p4i.P4Info, kinds_json: Path) -> None:
    verify(kinds_p4info, kinds_json.read_bytes())


def test_a_digest_has_as_many_fields_in_p4info_as_in_the_program(resources_json: Path) -> None:
    config = pipeline_config(resources_json)
    member = config.p4info.type_info.structs["sighting_t"].members.add(name="more")
    member.type_spec.bitstring.bit.bitwidth = 8
    with pytest.raises(RequestError, match=r"fields of digest sighting_t: .* 3; .* 2"):
        Model(config)


def _widen_register(bmv2: dict[str, Any]) -> None:
    bmv2["register_arrays"][0]["bitwidth"] = 13


def _enlarge_counter(bmv2: dict[str, Any]) -> None:
    bmv2["counter_arrays"][0]["size"] = 9


def _change_match_kind(bmv2: dict[str, Any]) -> None:
    _table(bmv2, "KindsIngress.stations")["key"][0]["match_type"] = "lpm"


def _drop_key_field(bmv2: dict[str, Any]) -> None:
    _table(bmv2, "KindsIngress.stations")["key"].clear()


def _widen_parameter(bmv2: dict[str, Any]) -> None:
    for action in bmv2["actions"]:
        if action["name"] == "KindsIngress.forward":
            action["runtime_data"][0]["bitwidth"] = 10


def _table(bmv2: dict[str, Any], name: str) -> dict[str, Any]:
    tables = (table for pipeline in bmv2["pipelines"] for table in pipeline["tables"])
    found: dict[str, Any] = next(table for table in tables if table["name"] == name)
    return found


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (
            _widen_register,
            "size and width of register KindsIngress.marks: P4Info says 4 cells of 12 bits; "
            "p4_device_config says 4 cells of 13 bits$",
        ),
        (_enlarge_counter, "size of counter KindsIngress.arrivals"),
        (
            _change_match_kind,
            "key of table KindsIngress.stations: P4Info says hdr.ethernet.destination exact; "
            "p4_device_config says hdr.ethernet.destination lpm$",
        ),
        (
            _drop_key_field,
            "key of table KindsIngress.stations: P4Info says hdr.ethernet.destination exact; "
            "p4_device_config says none$",
        ),
        (
            _widen_parameter,
            "parameters of action KindsIngress.forward: P4Info says port of 9 bits; "
            "p4_device_config says port of 10 bits$",
        ),
    ],
)
def test_a_disagreement_is_refused_and_named(
    kinds_p4info: p4i.P4Info,
    kinds_json: Path,
    spoil: Callable[[dict[str, Any]], None],
    named: str,
) -> None:
    bmv2 = json.loads(kinds_json.read_bytes())
    spoil(bmv2)
    with pytest.raises(RequestError, match=named) as caught:
        verify(kinds_p4info, json.dumps(bmv2).encode())
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


def test_a_key_of_another_width_is_refused_and_named(
    kinds_p4info: p4i.P4Info, kinds_json: Path
) -> None:
    acl = next(table for table in kinds_p4info.tables if table.preamble.alias == "acl")
    acl.match_fields[0].bitwidth = 17
    named = r"width of hdr\.ethernet\.ether_type in key of table KindsIngress\.acl"
    with pytest.raises(RequestError, match=named):
        verify(kinds_p4info, kinds_json.read_bytes())


def test_a_p4info_of_another_program_is_refused(resources_json: Path, kinds_json: Path) -> None:
    config = pipeline_config(resources_json)
    with pytest.raises(RequestError, match=r"another program.*it has: .*KindsIngress\.acl"):
        verify(config.p4info, kinds_json.read_bytes())


@pytest.mark.parametrize("device_config", [b"\xff", b"xx", b"[]", b"{}", b'{"actions": 1}'])
def test_what_is_not_bmv2_json_is_refused(kinds_p4info: p4i.P4Info, device_config: bytes) -> None:
    with pytest.raises(RequestError, match="not a BMv2 JSON program"):
        verify(kinds_p4info, device_config)


def test_a_config_without_a_program_says_what_is_missing(kinds_p4info: p4i.P4Info) -> None:
    with pytest.raises(RequestError, match=r"no p4_device_config; give the JSON"):
        verify(kinds_p4info, b"")

"""Numbers and strings of translated types (P4Runtime 1.5, sections 8.4.6, 16.1 and 18.1)."""

from collections.abc import Callable
from pathlib import Path

import grpc
import pytest
from finsy.proto import p4i, p4r
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, failure, pipeline_config
from .entities import Entities, exact, frame
from .model import Model, verify
from .refusals import RequestError
from .test_profiles import one_shot

COMMIT = p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT
RECONCILE = p4r.SetForwardingPipelineConfigRequest.RECONCILE_AND_COMMIT
INSERT = p4r.Update.INSERT
OUT_OF_RANGE = grpc.StatusCode.OUT_OF_RANGE
_PORTS = ("port", "ingress_port", "egress_port", "standard_metadata.ingress_port")
_F = p4r.FieldMatch


def with_ports(info: p4i.P4Info, sdn_width_bits: int, type_name: str = "port_id_t") -> None:
    """Gives all fields that are ports a type that is translated: to numbers, or (0) to strings."""
    translated = info.type_info.new_types[type_name].translated_type
    if sdn_width_bits:
        translated.sdn_bitwidth = sdn_width_bits
    else:
        translated.sdn_string.SetInParent()
    fields: list[p4i.MatchField | p4i.Action.Param | p4i.ControllerPacketMetadata.Metadata]
    fields = [part for table in info.tables for part in table.match_fields]
    fields += [part for action in info.actions for part in action.params]
    fields += [part for header in info.controller_packet_metadata for part in header.metadata]
    for part in fields:
        if part.name in _PORTS:
            part.type_name.name, part.bitwidth = type_name, sdn_width_bits


async def commit(primary: Controller, program: Path, sdn_width_bits: int) -> None:
    """Has the switch run the program with translated ports."""
    config = pipeline_config(program)
    with_ports(config.p4info, sdn_width_bits)
    await primary.set_config(COMMIT, config)


def acl(entities: Entities, ingress: bytes, egress: bytes) -> p4r.Entity:
    """An entry that matches an ingress port and forwards to an egress port."""
    matches = [_F(field_id=3, optional=_F.Optional(value=ingress))]
    entity = entities.entry("acl", matches, "forward", 0, priority=1)
    entity.table_entry.action.action.params[0].value = egress
    return entity


@pytest.mark.requirement("8.4.6-2", "18.1-1")
@pytest.mark.parametrize(
    ("width", "ingress", "egress"),
    [(32, b"\x01", b"\x03"), (0, b"1", b"3")],
    ids=["bits", "string"],
)
async def test_key_fields_and_parameters_are_translated_and_read_back_as_written(
    switch: RunningSwitch,
    primary: Controller,
    entities: Entities,
    kinds_json: Path,
    width: int,
    ingress: bytes,
    egress: bytes,
) -> None:
    await commit(primary, kinds_json, width)
    entry = acl(entities, ingress, egress)
    await primary.insert(entry)
    assert await primary.read(entities.entry("acl")) == [entry]
    at_ns = switch.engine.now_us() * 1_000
    for port in (1, 2):
        switch.engine.inject(port, frame(1, 2, 0x0800), at_ns)
    assert [port for _, port, _ in switch.engine.run_until(at_ns)] == [3]


@pytest.mark.requirement("16.1-5", "18.1-1")
@pytest.mark.parametrize(
    ("width", "port", "cpu"),
    [(32, b"\x02", b"\x01\xfe"), (0, b"2", b"510")],
    ids=["bits", "string"],
)
async def test_packet_metadata_is_translated(
    switch: RunningSwitch,
    primary: Controller,
    kinds_json: Path,
    width: int,
    port: bytes,
    cpu: bytes,
) -> None:
    await commit(primary, kinds_json, width)
    await primary.packet_out(b"payload", port, b"\x00", b"\x00")
    # What comes to the CPU port without a header has one read from its beginning: port 2, mark 3.
    await primary.packet_out(b"\x01\x03payload", cpu, b"\x00", b"\x00")
    packet = (await primary.receive()).packet
    assert [item.value for item in packet.metadata] == [port, b"\x03"]
    left = switch.engine.run_until(switch.engine.now_us() * 1000 + 1)
    assert [(number, payload) for _, number, payload in left] == [(2, b"payload")]


async def test_numbers_beyond_either_width_are_out_of_range(
    primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    await commit(primary, kinds_json, 32)
    for ingress, egress in ((b"\x02\x00", b"\x01"), (b"\x01", b"\x01" + bytes(4)), (b"", b"\x01")):
        code, _ = await failure(primary, INSERT, acl(entities, ingress, egress))
        assert code is OUT_OF_RANGE
    assert await primary.read(entities.entry("acl")) == []


async def test_strings_that_are_no_ports_are_refused(
    primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    await commit(primary, kinds_json, 0)
    group = p4r.MulticastGroupEntry(multicast_group_id=4)
    group.replicas.add(port=b"Ethernet8")
    engine = p4r.PacketReplicationEngineEntry(multicast_group_entry=group)
    for entity in (
        acl(entities, b"Ethernet8", b"1"),
        acl(entities, b"1", b"512"),
        p4r.Entity(packet_replication_engine_entry=engine),
    ):
        assert (await failure(primary, INSERT, entity))[0] is grpc.StatusCode.INVALID_ARGUMENT


async def test_strings_come_back_from_the_next_program_as_they_were_written(
    primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    entries = [acl(entities, b"red", b""), acl(entities, b"7", "Ä/1".encode())]
    for cookie, action in enumerate((COMMIT, RECONCILE)):
        config = pipeline_config(kinds_json, cookie=cookie)
        with_ports(config.p4info, 0, "vrf_t")
        await primary.set_config(action, config)
        if action == COMMIT:
            await primary.insert(*entries)
    read = await primary.read(entities.entry("acl"))
    assert sorted(map(str, read)) == sorted(map(str, entries))


@pytest.mark.requirement("18.1-2")
async def test_ports_that_are_watched_and_replicated_to_have_the_names_of_the_programs_ports(
    resources_switch: RunningSwitch,
    resources_primary: Controller,
    resources: Entities,
    resources_json: Path,
) -> None:
    await commit(resources_primary, resources_json, 0)
    group = p4r.MulticastGroupEntry(multicast_group_id=4)
    group.replicas.add(port=b"2").backup_replicas.add(port=b"3", instance=1)
    written = p4r.Entity(
        packet_replication_engine_entry=p4r.PacketReplicationEngineEntry(
            multicast_group_entry=group
        )
    )
    balanced = one_shot(resources, {2: 1})
    (item,) = balanced.table_entry.action.action_profile_action_set.action_profile_actions
    item.watch_port = item.action.params[0].value = b"3"
    flood = resources.entry("hits", [exact(1, 0x0800)], "flood", 4)
    await resources_primary.insert(written, balanced, flood)
    assert await resources_primary.read(written, resources.entry("balanced")) == [written, balanced]
    for is_up, way in ((True, 2), (False, 3)):
        resources_switch.engine.set_port_up(2, is_up)
        at_ns = resources_switch.engine.now_us() * 1_000
        resources_switch.engine.inject(1, frame(1, 2, 0x0800), at_ns)
        left = resources_switch.engine.run_until(at_ns)
        assert [port for _, port, _ in left] == [way]


@pytest.mark.requirement("18.1-1")
async def test_an_array_with_a_translated_index_has_the_numbers_of_the_controller(
    primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    config = pipeline_config(kinds_json)
    with_ports(config.p4info, 32)
    config.p4info.counters[0].index_type_name.name = "port_id_t"
    await primary.set_config(COMMIT, config)
    cell = entities.counter("arrivals", 3, (7, 70))
    await primary.modify(cell)
    assert await primary.read(entities.counter("arrivals", 3)) == [cell]


@pytest.mark.requirement("8.4.6-2")
async def test_cells_of_a_translated_type_are_numbers_that_its_own_width_holds(
    primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    config = pipeline_config(kinds_json)
    marks = next(r for r in config.p4info.registers if r.preamble.alias == "marks")
    marks.type_spec.new_type.name = "mark_t"
    config.p4info.type_info.new_types["mark_t"].translated_type.sdn_bitwidth = 32
    await primary.set_config(COMMIT, config)
    cell = entities.cell("marks", 1, b"\x0f\xff")
    await primary.modify(cell)
    assert await primary.read(entities.cell("marks", 1)) == [cell]
    code, _ = await failure(primary, p4r.Update.MODIFY, entities.cell("marks", 1, b"\x10\x00"))
    assert code is OUT_OF_RANGE


def _declaring(annotation: str, info: p4i.P4Info, program: Path) -> Model:
    """A program whose ports, of 9 bits, have a type with an annotation."""
    with_ports(info, 0)
    info.type_info.new_types["port_id_t"].annotations.append(annotation)
    json = program.read_bytes()
    return Model(p4r.ForwardingPipelineConfig(p4info=info, p4_device_config=json))


def test_strings_that_the_program_declares_have_its_numbers(
    kinds_p4info: p4i.P4Info, kinds_json: Path, entities: Entities
) -> None:
    mappings = '@p4runtime_translation_mappings({ { "" , 0 } , { "CPU" , 9w510 } , })'
    model = _declaring(mappings, kinds_p4info, kinds_json)
    model.insert(acl(entities, b"", b"CPU"))
    found = Programmed.of(model.switch, kinds_json.read_bytes()).entries("KindsIngress.acl")
    [(key, data)] = found.items()
    assert (key[2], data) == ((0, 511), [510])
    assert model.read(entities.entry("acl")) == [acl(entities, b"", b"CPU")]


@pytest.mark.parametrize(
    "pairs", ['{ "a", 1 }, { "a", 2 }', '{ "a", 1 }, { "b", 1 }', '{ "a", 512 }']
)
def test_declared_strings_that_are_not_one_to_one_are_refused(
    kinds_p4info: p4i.P4Info, kinds_json: Path, pairs: str
) -> None:
    with pytest.raises(RequestError, match="port_id_t") as caught:
        _declaring(f"@p4runtime_translation_mappings({{ {pairs} }})", kinds_p4info, kinds_json)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


def _of_two_widths(info: p4i.P4Info) -> None:
    info.tables[0].match_fields[0].type_name.name = "port_id_t"


def _of_no_kind(info: p4i.P4Info) -> None:
    info.type_info.new_types["port_id_t"].translated_type.Clear()


def _of_no_width(info: p4i.P4Info) -> None:
    info.type_info.new_types["port_id_t"].translated_type.sdn_bitwidth = (1 << 31) - 1


@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        (_of_two_widths, "port_id_t"),
        (_of_no_kind, "port_id_t"),
        (_of_no_width, "port_id_t"),
    ],
)
def test_translations_that_cannot_be_are_refused_by_name(
    kinds_p4info: p4i.P4Info,
    kinds_json: Path,
    spoil: Callable[[p4i.P4Info], None],
    named: str,
) -> None:
    with_ports(kinds_p4info, 32)
    spoil(kinds_p4info)
    with pytest.raises(RequestError, match=named) as caught:
        verify(kinds_p4info, kinds_json.read_bytes())
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("18.1-1")
@pytest.mark.parametrize(
    ("table", "field", "name", "match"),
    [
        ("prefixes", 1, "hdr.ethernet.source", _F(lpm=_F.LPM(value=b"here", prefix_len=48))),
        ("acl", 1, "hdr.ethernet.ether_type", _F(ternary=_F.Ternary(value=b"ip", mask=b"\xff"))),
        ("acl", 2, "hdr.ethernet.source", _F(range=_F.Range(low=b"a", high=b"b"))),
    ],
    ids=["lpm", "ternary", "range"],
)
def test_strings_have_no_prefixes_masks_and_ranges_but_a_program_may_have_such_keys(
    kinds_p4info: p4i.P4Info, kinds_json: Path, table: str, field: int, name: str, match: _F
) -> None:
    """BMv2 takes the program, too. Entries may leave the field out."""
    info, entities = kinds_p4info, Entities(kinds_p4info)
    part = next(t for t in info.tables if t.preamble.alias == table).match_fields[field - 1]
    part.type_name.name = "name_t"
    info.type_info.new_types["name_t"].translated_type.sdn_string.SetInParent()
    model = Model(
        p4r.ForwardingPipelineConfig(p4info=info, p4_device_config=kinds_json.read_bytes())
    )
    priority = 0 if table == "prefixes" else 1
    match.field_id = field
    kind = match.WhichOneof("field_match_type")
    with pytest.raises(RequestError) as caught:
        model.insert(entities.entry(table, [match], "drop", priority=priority))
    assert caught.value.message == (
        f"key field {name} of table KindsIngress.{table} is translated to strings, which have no "
        f"{kind} match: omit it"
    )
    model.insert(entities.entry(table, [], "drop", priority=priority))
    assert len(model.read(entities.entry(table))) == 1

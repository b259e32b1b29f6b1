"""Programs whose P4Info names what the compiled program lacks, or calls otherwise."""

from collections.abc import Sequence

import grpc
import pytest
from finsy.proto import p4i, p4r

from .conftest import PROGRAMS
from .controller import pipeline_config
from .entities import Entities, exact
from .model import Model
from .refusals import RequestError

REMOVED = "is in P4Info only"


def loaded(name: str) -> tuple[Model, Entities]:
    config = pipeline_config(PROGRAMS / f"{name}.json")
    return Model(config), Entities(config.p4info)


def left(model: Model, frame: bytes) -> list[int]:
    """The ports by which a frame leaves that has come to port 1."""
    at_ns = model.switch.now_us() * 1_000
    model.switch.inject(1, frame, at_ns)
    return [port for _, port, _ in model.switch.run_until(at_ns)]


def forwarding(entities: Entities, profile: str, number: int) -> p4r.Entity:
    """A member that forwards to port 2."""
    member = p4r.ActionProfileMember(
        action_profile_id=entities.id(profile),
        member_id=number,
        action=entities.action("forward", 2).action,
    )
    return p4r.Entity(action_profile_member=member)


def assert_removed(model: Model, entity: p4r.Entity, name: str) -> None:
    """Every request for what the compiler has removed is refused, by name."""
    requests = [
        *(lambda kind=kind: model.write(kind, entity) for kind in (1, 2, 3)),
        lambda: model.read(entity),
    ]
    for request in requests:
        with pytest.raises(RequestError, match=f"{name}.* {REMOVED}") as caught:
            request()
        assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT


def test_entries_use_the_one_of_two_actions_that_has_parameters() -> None:
    model, entities = loaded("action_called_directly")
    entry = entities.entry("t", [exact(1, 0x12)], "forward", 3)
    model.insert(entry)
    assert model.read(entities.entry("t")) == [entry]
    assert [left(model, bytes([value])) for value in (0x12, 0x13, 0xF1)] == [[3], [2], [1]]


@pytest.mark.parametrize(
    ("name", "fields"),
    [("digest_of_a_tuple", [b"\x07", b"\x01"]), ("digest_of_one_field", None)],
)
def test_a_digest_that_the_compiler_has_renamed_is_told_by_its_fields(
    name: str, fields: Sequence[bytes] | None
) -> None:
    model, entities = loaded(name)
    enabled = p4r.DigestEntry(digest_id=entities.id("digest_0"), config=p4r.DigestEntry.Config())
    model.insert(p4r.Entity(digest_entry=enabled))
    left(model, bytes(6) + bytes(5) + b"\x07" + b"\x08\x00")
    found = model.switch.digests()
    assert len(found) == 1
    model.device.deliver_digests(found)
    [told] = [message.digest for message in model.told()]
    assert told.digest_id == entities.id("digest_0")
    [data] = told.data
    if fields is not None:
        members = (data.tuple if data.HasField("tuple") else data.struct).members
        assert [member.bitstring for member in members] == list(fields)


def test_a_table_that_no_packet_meets_is_refused_when_it_is_asked_for() -> None:
    model, entities = loaded("table_behind_a_local_that_is_always_0")
    assert_removed(model, entities.entry("t", [exact(1, 1)], "note", 1), "table I.t")
    entry = entities.entry("main_t", [exact(1, 1)], "forward", 2)
    model.insert(entry)
    assert model.read(p4r.Entity(table_entry=p4r.TableEntry())) == [entry]


def test_a_selector_that_no_table_has_is_refused_when_it_is_asked_for() -> None:
    model, entities = loaded("action_selector_that_no_table_has")
    profile = entities.id("as")
    member = p4r.ActionProfileMember(action_profile_id=profile, member_id=1)
    group = p4r.ActionProfileGroup(action_profile_id=profile, group_id=1)
    assert_removed(model, p4r.Entity(action_profile_member=member), "action profile I.as")
    assert_removed(model, p4r.Entity(action_profile_group=group), "action profile I.as")
    wildcard = p4r.Entity(action_profile_member=p4r.ActionProfileMember())
    assert model.read(wildcard) == []


@pytest.mark.parametrize(
    ("kind", "name", "entity"),
    [
        ("register", "marks", lambda entities: entities.cell("marks", 0, b"\1")),
        ("counter", "arrivals", lambda entities: entities.counter("arrivals", 0, (1, 1))),
    ],
)
def test_an_array_that_the_program_lacks_is_refused_when_it_is_asked_for(
    kind: str, name: str, entity: object
) -> None:
    """As the compiler removes what no packet meets: here the JSON has it under another name."""
    config = pipeline_config(PROGRAMS / "kinds.json")
    old = f'"KindsIngress.{name}"'.encode()
    config.p4_device_config = config.p4_device_config.replace(old, b'"KindsIngress.other"')
    model, entities = Model(config), Entities(config.p4info)
    assert callable(entity)
    assert_removed(model, entity(entities), f"{kind} KindsIngress.{name}")


def test_an_action_and_a_direct_counter_that_the_program_lacks_are_refused_when_asked_for() -> None:
    config = pipeline_config(PROGRAMS / "kinds.json")
    acl = next(table for table in config.p4info.tables if table.preamble.alias == "acl")
    gone = config.p4info.actions.add()
    gone.preamble.id, gone.preamble.name, gone.preamble.alias = 0x01000099, "gone", "gone"
    acl.action_refs.add(id=gone.preamble.id)
    stations = next(t for t in config.p4info.tables if t.preamble.alias == "stations")
    counter = config.p4info.direct_counters.add(direct_table_id=stations.preamble.id)
    counter.preamble.id = 0x13000099
    model, entities = Model(config), Entities(config.p4info)
    with pytest.raises(RequestError, match=f"action gone of table KindsIngress.acl {REMOVED}"):
        model.insert(entities.entry("acl", [], "gone", priority=1))
    entry = entities.entry("stations", [exact(1, 1)], "forward", 1)
    model.insert(entry)
    entry.table_entry.counter_data.packet_count = 1
    with pytest.raises(RequestError, match=f"direct counter of table .*stations {REMOVED}"):
        model.modify(entry)


def test_digests_that_nothing_tells_apart_are_refused_when_one_is_asked_for() -> None:
    model, entities = loaded("digests_of_tuples_alike")
    for name in ("digest_0", "digest_1"):
        wanted = p4r.DigestEntry(digest_id=entities.id(name))
        with pytest.raises(RequestError, match=f"digest {name} has the same fields as another"):
            model.insert(p4r.Entity(digest_entry=wanted))
    assert left(model, bytes(14)) == [1]


def test_a_profile_whose_tables_are_left_out_is_refused_when_it_is_asked_for() -> None:
    model, entities = loaded("profiles_at_their_edges")
    assert_removed(model, forwarding(entities, "left_out", 1), "action profile I.left_out")
    assert model.read(p4r.Entity(action_profile_member=p4r.ActionProfileMember())) == []


@pytest.mark.parametrize("name", ["unbounded", "unbounded_selector"])
def test_a_profile_of_size_0_has_any_number_of_members(name: str) -> None:
    model, entities = loaded("profiles_at_their_edges")
    members = [forwarding(entities, name, number) for number in (1, 2, 3)]
    for member in members:
        model.insert(member)
    wanted = p4r.ActionProfileMember(action_profile_id=entities.id(name))
    assert model.read(p4r.Entity(action_profile_member=wanted)) == members


def test_a_default_action_that_the_compiler_leaves_out_is_told_of_and_not_read(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Only `NoAction` may be the default of a table with an action profile."""
    model, entities = loaded("profile_of_two_tables")
    assert (
        "p4c leaves out default actions of tables with an action profile, so packets that miss run "
        "no action: 1; the first: table I.second: I.drop"
    ) in caplog.messages
    first, second = entities.default("first", "NoAction"), entities.default("second")
    for each in (first, second):
        each.table_entry.is_const = True
    assert model.read(entities.default("first"), entities.default("second")) == [first, second]
    assert left(model, bytes(2)) == [1]


def test_tables_of_a_profile_may_differ_in_no_action() -> None:
    model, entities = loaded("profile_of_two_tables")
    model.insert(forwarding(entities, "shared", 1))
    drop = entities.action("drop").action
    shared = entities.id("shared")
    member = p4r.ActionProfileMember(action_profile_id=shared, member_id=2, action=drop)
    model.insert(p4r.Entity(action_profile_member=member))
    for table, number in (("first", 1), ("second", 2)):
        entry = entities.entry(table, [exact(1, 7)])
        entry.table_entry.action.action_profile_member_id = number
        model.insert(entry)
    frames = [bytes([0, 0]), bytes([7, 0]), bytes([7, 7]), bytes([0, 7])]
    assert [left(model, frame) for frame in frames] == [[1], [2], [], []]


def translate(
    info: p4i.P4Info, part: p4i.MatchField | p4i.ControllerPacketMetadata.Metadata
) -> None:
    """Gives a part a type that controllers have strings for."""
    info.type_info.new_types["name_t"].translated_type.sdn_string.SetInParent()
    part.type_name.name = "name_t"
    part.ClearField("bitwidth")


def test_a_table_that_no_packet_meets_may_have_a_translated_type_of_its_own() -> None:
    config = pipeline_config(PROGRAMS / "table_behind_a_local_that_is_always_0.json")
    [removed] = (table for table in config.p4info.tables if table.preamble.alias == "t")
    translate(config.p4info, removed.match_fields[0])
    model, entities = Model(config), Entities(config.p4info)
    assert_removed(model, entities.entry("t", [exact(1, 1)], "note", 1), "table I.t")


def test_a_controller_header_of_a_type_that_is_nowhere_else_is_refused_with_its_packets() -> None:
    config = pipeline_config(PROGRAMS / "table_behind_a_local_that_is_always_0.json")
    for name in ("packet_in", "packet_out"):
        header = config.p4info.controller_packet_metadata.add()
        header.preamble.name = name
        translate(config.p4info, header.metadata.add(id=1, name="port"))
    model = Model(config)
    packet = p4r.PacketOut(metadata=[p4r.PacketMetadata(metadata_id=1, value=b"1")])
    with pytest.raises(RequestError, match=r"packet_out.port: .* the width of name_t"):
        model.send(packet)


def test_an_array_that_is_indexed_by_strings_or_holds_some_is_refused_when_it_is_asked_for() -> (
    None
):
    config = pipeline_config(PROGRAMS / "kinds.json")
    types = config.p4info.type_info.new_types
    types["name_t"].translated_type.sdn_string.SetInParent()
    [arrivals] = (c for c in config.p4info.counters if c.preamble.alias == "arrivals")
    arrivals.index_type_name.name = "name_t"
    [marks] = (r for r in config.p4info.registers if r.preamble.alias == "marks")
    marks.type_spec.new_type.name = "name_t"
    model, entities = Model(config), Entities(config.p4info)
    for entity, part in (
        (entities.counter("arrivals", 0, (1, 1)), "index is"),
        (entities.cell("marks", 0, b"\1"), "cells are"),
    ):
        with pytest.raises(RequestError, match=f"{part} of a type that is translated to strings"):
            model.modify(entity)
        with pytest.raises(RequestError, match=f"{part} of a type that is translated to strings"):
            model.read(entity)
    assert model.read(p4r.Entity(counter_entry=p4r.CounterEntry())) == []

"""TableEntry over gRPC (P4Runtime 1.5, section 9.1), with the kinds program."""

from pathlib import Path

import grpc
import pytest
from finsy.proto import p4i, p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, batch_errors, connected
from .entities import Entities, between, exact, frame, lpm, optional, ternary
from .model import Model
from .refusals import RequestError

STATION = 0x0A0000000001


@pytest.mark.requirement("8.2-1", "9.1-5", "9.1.6-1")
async def test_entries_of_all_match_kinds_read_back_as_written(
    primary: Controller, entities: Entities
) -> None:
    written = [
        entities.entry("stations", [exact(1, STATION)], "forward", 3),
        entities.entry("prefixes", [lpm(1, 0x0A0000000000, 8)], "forward", 1),
        entities.entry("prefixes", [], "drop"),
        entities.entry(
            "acl",
            [ternary(1, 0x0800, 0xFF00), between(2, 1, 99), optional(3, 5)],
            "forward",
            2,
            priority=10,
        ),
        entities.entry("acl", [between(2, 1, 99)], "drop", priority=10),
        entities.entry("acl", [], "NoAction", priority=1),
    ]
    await primary.insert(*written)
    for entity in written:
        wanted = p4r.Entity(table_entry=entity.table_entry)
        wanted.table_entry.ClearField("action")
        assert entity in await primary.read(wanted)
    everything = await primary.read(p4r.Entity(table_entry=p4r.TableEntry()))
    ours = [e for e in everything if e.table_entry.table_id != entities.id("fixed")]
    assert sorted(ours, key=str) == sorted(written, key=str)


@pytest.mark.requirement("12.1-2")
async def test_an_entry_decides_where_a_packet_goes(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    packet = frame(STATION, 1, 0x0800)
    switch.engine.inject(1, packet, 0)
    assert switch.engine.run_until(1) == []
    await primary.insert(entities.entry("stations", [exact(1, STATION)], "forward", 3))
    switch.engine.inject(1, packet, 2)
    assert switch.engine.run_until(2) == [(2, 3, packet)]


@pytest.mark.requirement("9.1-3")
@pytest.mark.parametrize("general_wins", [True, False])
async def test_the_entry_with_the_higher_priority_wins(
    switch: RunningSwitch, primary: Controller, entities: Entities, general_wins: bool
) -> None:
    general, special = (2, 1) if general_wins else (1, 2)
    await primary.insert(
        entities.entry("acl", [ternary(1, 0x0800, 0xFF00)], "forward", 2, priority=general),
        entities.entry("acl", [ternary(1, 0x0800, 0xFFFF)], "forward", 3, priority=special),
    )
    switch.engine.inject(1, frame(STATION, 1, 0x0800), 0)
    ((_, port, _),) = switch.engine.run_until(1)
    assert port == (2 if general_wins else 3)


@pytest.mark.requirement("9.1.2-2", "13.1-1")
async def test_modify_changes_the_action_and_delete_removes_the_entry(
    primary: Controller, entities: Entities
) -> None:
    key = [exact(1, STATION)]
    await primary.insert(entities.entry("stations", key, "forward", 3))
    await primary.modify(entities.entry("stations", key, "punt", 7))
    wanted = entities.entry("stations", key)
    assert await primary.read(wanted) == [entities.entry("stations", key, "punt", 7)]
    await primary.modify(wanted)
    assert await primary.read(wanted) == [entities.entry("stations", key, "punt", 7)]
    await primary.delete(wanted)
    assert await primary.read(wanted) == []


@pytest.mark.requirement("10-2", "12.2-1", "12.3-2")
async def test_a_batch_attempts_every_update_and_reports_each(
    primary: Controller, entities: Entities
) -> None:
    first = entities.entry("stations", [exact(1, 1)], "forward", 1)
    last = entities.entry("stations", [exact(1, 2)], "forward", 2)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.insert(first, first, last)
    codes = [code for code, _ in batch_errors(caught.value)]
    assert codes == [
        grpc.StatusCode.OK,
        grpc.StatusCode.ALREADY_EXISTS,
        grpc.StatusCode.OK,
    ]
    assert len(await primary.read(entities.entry("stations"))) == 2


@pytest.mark.requirement("12-8", "12-9")
async def test_entries_that_are_not_there_are_not_found(
    primary: Controller, entities: Entities
) -> None:
    missing = entities.entry("stations", [exact(1, STATION)], "forward", 1)
    assert await _failure(primary, p4r.Update.MODIFY, missing) is grpc.StatusCode.NOT_FOUND
    assert await _failure(primary, p4r.Update.DELETE, missing) is grpc.StatusCode.NOT_FOUND
    missing.table_entry.ClearField("action")
    assert await _failure(primary, p4r.Update.MODIFY, missing) is grpc.StatusCode.NOT_FOUND


def test_an_entry_that_is_there_or_is_not_is_told_by_its_key(
    kinds: Model, entities: Entities
) -> None:
    acl = "KindsIngress.acl"
    matches = [ternary(1, 0x0800, 0xFF00), between(2, 1, 99), optional(3, 5)]
    entries = {
        f"table KindsIngress.stations: {{}} hdr.ethernet.destination = 0x{STATION:012x}": (
            entities.entry("stations", [exact(1, STATION)], "forward", 3)
        ),
        "table KindsIngress.prefixes: {} hdr.ethernet.source = 0x0a0000000000/8": (
            entities.entry("prefixes", [lpm(1, 0x0A0000000000, 8)], "forward", 1)
        ),
        "table KindsIngress.prefixes: {} that matches everything": (
            entities.entry("prefixes", [], "drop")
        ),
        f"table {acl}: {{}} hdr.ethernet.ether_type = 0x0800 &&& 0xff00, hdr.ethernet.source = "
        "0x000000000001..0x000000000063, standard_metadata.ingress_port = 0x005, priority 10": (
            entities.entry("acl", matches, "forward", 2, priority=10)
        ),
        f"table {acl}: {{}} that matches everything, priority 1": (
            entities.entry("acl", [], "NoAction", priority=1)
        ),
    }
    for told, entity in entries.items():
        for change in (kinds.modify, kinds.delete):
            with pytest.raises(RequestError) as caught:
                change(entity)
            assert caught.value.code is grpc.StatusCode.NOT_FOUND
            assert caught.value.message == told.format("no entry has the key")
        kinds.insert(entity)
        with pytest.raises(RequestError) as caught:
            kinds.insert(entity)
        assert caught.value.code is grpc.StatusCode.ALREADY_EXISTS
        expected = told.format("an entry with the key") + " exists already; MODIFY changes it"
        assert caught.value.message == expected


def test_a_modification_of_no_entry_hints_at_the_default(kinds: Model, entities: Entities) -> None:
    """Only that: who inserts, or gives a part of the key, has forgotten something else."""
    missing = (
        "key field hdr.ethernet.destination of table KindsIngress.stations is missing; an exact "
        "match cannot be omitted"
    )
    entity = entities.entry("stations", [], "drop")
    for change, hint in (
        (kinds.modify, " (for the default action set is_default_action)"),
        (kinds.insert, ""),
        (kinds.delete, ""),
    ):
        with pytest.raises(RequestError) as caught:
            change(entity)
        assert caught.value.message == missing + hint


@pytest.mark.requirement("9.1-8", "9.1-9")
async def test_a_full_table_is_resource_exhausted(primary: Controller, entities: Entities) -> None:
    for station in range(4):
        await primary.insert(entities.entry("stations", [exact(1, station)], "forward", 1))
    fifth = entities.entry("stations", [exact(1, 4)], "forward", 1)
    assert await _failure(primary, p4r.Update.INSERT, fifth) is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.requirement("9.1-2")
async def test_priorities_are_required_where_matches_can_overlap_and_only_there(
    primary: Controller, entities: Entities
) -> None:
    without = entities.entry("acl", [ternary(1, 1, 1)], "drop")
    needless = entities.entry("stations", [exact(1, 1)], "forward", 1, priority=1)
    for entity in (without, needless):
        code = await _failure(primary, p4r.Update.INSERT, entity)
        assert code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("9.1.2-5")
async def test_actions_stay_in_their_scope(primary: Controller, entities: Entities) -> None:
    in_entry = entities.entry("stations", [exact(1, 1)], "drop")
    code = await _failure(primary, p4r.Update.INSERT, in_entry)
    assert code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.requirement("9.1.2-5")
def test_an_action_of_entries_alone_is_no_default(
    kinds_p4info: p4i.P4Info, kinds_json: Path, entities: Entities
) -> None:
    forward = entities.id("forward")
    for table in kinds_p4info.tables:
        for reference in table.action_refs:
            if reference.id == forward:
                reference.scope = p4i.ActionRef.TABLE_ONLY
    config = p4r.ForwardingPipelineConfig(
        p4info=kinds_p4info, p4_device_config=kinds_json.read_bytes()
    )
    with pytest.raises(
        RequestError, match=r"forward is @tableonly in table KindsIngress\.keyless"
    ) as caught:
        Model(config).modify(entities.default("keyless", "forward", 1))
    assert caught.value.code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize(
    ("action", "arguments", "code"),
    [
        ("punt", (1,), grpc.StatusCode.INVALID_ARGUMENT),
        ("forward", (), grpc.StatusCode.INVALID_ARGUMENT),
        ("forward", (1, 2), grpc.StatusCode.INVALID_ARGUMENT),
        ("forward", (512,), grpc.StatusCode.OUT_OF_RANGE),
        (None, (), grpc.StatusCode.INVALID_ARGUMENT),
    ],
    ids=["not the table's", "argument missing", "argument too many", "too wide", "no action"],
)
@pytest.mark.requirement("9.1.2-1", "9.1.2-4", "9.1.2-6", "9.1.2-7", "12-6")
async def test_actions_that_do_not_fit_are_refused(
    primary: Controller,
    entities: Entities,
    action: str | None,
    arguments: tuple[int, ...],
    code: grpc.StatusCode,
) -> None:
    entity = entities.entry("prefixes", [lpm(1, 0, 1)], action, *arguments)
    assert await _failure(primary, p4r.Update.INSERT, entity) is code


@pytest.mark.requirement("9.1.3-3")
async def test_the_default_entry_is_modified_and_reset(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    wanted = entities.default("keyless")
    original = [entities.default("keyless", "NoAction")]
    assert await primary.read(wanted) == original
    changed = entities.default("keyless", "forward", 2)
    await primary.modify(changed)
    assert await primary.read(wanted) == [changed]
    await primary.modify(wanted)
    assert await primary.read(wanted) == original


async def test_default_entries_of_all_tables_are_read_at_once(
    primary: Controller, entities: Entities
) -> None:
    read = await primary.read(p4r.Entity(table_entry=p4r.TableEntry(is_default_action=True)))
    tables = ("stations", "prefixes", "acl", "fixed", "keyless")
    assert {e.table_entry.table_id for e in read} == {entities.id(table) for table in tables}


@pytest.mark.requirement("9.1.3-1", "9.1.3-2")
async def test_default_entries_are_neither_inserted_nor_deleted(
    primary: Controller, entities: Entities
) -> None:
    entity = entities.default("keyless", "NoAction")
    for kind in (p4r.Update.INSERT, p4r.Update.DELETE):
        assert await _failure(primary, kind, entity) is grpc.StatusCode.INVALID_ARGUMENT
    entity.table_entry.priority = 1
    code = await _failure(primary, p4r.Update.MODIFY, entity)
    assert code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("9.1.3-2")
async def test_a_default_entry_has_neither_match_nor_priority(
    primary: Controller, entities: Entities
) -> None:
    with_match = entities.default("prefixes", "drop")
    with_match.table_entry.match.append(lpm(1, 0, 1))
    with_priority = entities.default("acl", "drop")
    with_priority.table_entry.priority = 1
    for entity in (with_match, with_priority):
        code = await _failure(primary, p4r.Update.MODIFY, entity)
        assert code is grpc.StatusCode.INVALID_ARGUMENT
        entity.table_entry.ClearField("action")
        _, ((code, _),) = await primary.read_partly(entity)
        assert code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("9.1.3-4")
async def test_a_default_entry_that_is_reset_loses_its_metadata(
    primary: Controller, entities: Entities
) -> None:
    changed = entities.default("keyless", "forward", 2)
    changed.table_entry.metadata = b"ours"
    changed.table_entry.controller_metadata = 7
    await primary.modify(changed)
    assert await primary.read(entities.default("keyless")) == [changed]
    changed.table_entry.ClearField("action")
    await primary.modify(changed)
    original = entities.default("keyless", "NoAction")
    assert await primary.read(entities.default("keyless")) == [original]


@pytest.mark.requirement("9.1.3-5", "9.1.4-1", "9.1.4-3", "9.1.4-4")
async def test_what_the_program_made_constant_stays(
    primary: Controller, entities: Entities
) -> None:
    default = entities.default("stations", "drop")
    inserted = entities.entry("fixed", [exact(1, 1)], "punt", 1)
    existing = entities.entry("fixed", [exact(1, 0x88CC)], "punt", 17)
    for kind, entity in (
        (p4r.Update.MODIFY, default),
        (p4r.Update.INSERT, inserted),
        (p4r.Update.MODIFY, existing),
        (p4r.Update.DELETE, existing),
    ):
        assert await _failure(primary, kind, entity) is grpc.StatusCode.PERMISSION_DENIED
    existing.table_entry.is_const = True
    assert await primary.read(entities.entry("fixed")) == [existing]


@pytest.mark.requirement("9.1.3-8")
async def test_the_default_entry_of_an_indirect_table_is_constant(
    resources_primary: Controller, resources: Entities
) -> None:
    constant = resources.default("routes", "NoAction")
    code = await _failure(resources_primary, p4r.Update.MODIFY, constant)
    assert code is grpc.StatusCode.PERMISSION_DENIED
    constant.table_entry.is_const = True
    assert await resources_primary.read(resources.default("routes")) == [constant]


@pytest.mark.requirement("9.1-7")
async def test_a_keyless_table_takes_no_entries(primary: Controller, entities: Entities) -> None:
    code = await _failure(primary, p4r.Update.INSERT, entities.entry("keyless", [], "NoAction"))
    assert code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("9.1-1")
async def test_metadata_comes_back_and_goes_with_the_entry(
    primary: Controller, entities: Entities
) -> None:
    entity = entities.entry("stations", [exact(1, STATION)], "forward", 1)
    entity.table_entry.controller_metadata = 77
    entity.table_entry.metadata = b"ours"
    wanted = entities.entry("stations", [exact(1, STATION)])
    await primary.insert(entity)
    assert await primary.read(wanted) == [entity]
    await primary.delete(wanted)
    plain = entities.entry("stations", [exact(1, STATION)], "forward", 1)
    await primary.insert(plain)
    assert await primary.read(wanted) == [plain]


@pytest.mark.requirement("9.1-4", "9.1.6-2")
async def test_reads_are_filtered(primary: Controller, entities: Entities) -> None:
    drop = entities.entry("acl", [ternary(1, 1, 1)], "drop", priority=1)
    pass_on = entities.entry("acl", [ternary(1, 1, 1)], "NoAction", priority=2)
    pass_on.table_entry.metadata = b"ours"
    drop.table_entry.controller_metadata = 7
    await primary.insert(drop, pass_on)
    assert await primary.read(entities.entry("acl", priority=2)) == [pass_on]
    assert await primary.read(entities.entry("acl", [], "drop")) == [drop]
    by_metadata = entities.entry("acl")
    by_metadata.table_entry.metadata = b"ours"
    assert await primary.read(by_metadata) == [pass_on]
    by_cookie = entities.entry("acl")
    by_cookie.table_entry.controller_metadata = 7
    assert await primary.read(by_cookie) == [drop]
    default = await primary.read(entities.default("acl"))
    assert default == [entities.default("acl", "NoAction")]
    both = await primary.read(entities.entry("acl", [ternary(1, 1, 1)]))
    assert sorted(both, key=str) == sorted([drop, pass_on], key=str)


@pytest.mark.requirement("9.1.6-3")
async def test_a_read_is_filtered_by_a_valid_key_only(
    primary: Controller, entities: Entities
) -> None:
    for wanted in (
        entities.entry("acl", [exact(1, 1)]),
        entities.entry("acl", [ternary(1, 0, 0)]),
        entities.entry("stations", [exact(2, 1)]),
    ):
        _, ((code, _),) = await primary.read_partly(wanted)
        assert code is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ({"is_const": True}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"idle_timeout_ns": 1}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"action": p4r.TableAction(action_profile_member_id=1)}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"meter_config": p4r.MeterConfig()}, grpc.StatusCode.INVALID_ARGUMENT),
        ({"counter_data": p4r.CounterData()}, grpc.StatusCode.INVALID_ARGUMENT),
    ],
    ids=["const", "idle timeout", "action profile", "direct meter", "direct counter"],
)
@pytest.mark.requirement("9.1-10", "9.1.2-3", "9.1.8-7")
async def test_what_a_table_does_not_have_is_refused(
    primary: Controller, entities: Entities, field: dict[str, object], code: grpc.StatusCode
) -> None:
    entity = entities.entry("stations", [exact(1, 1)], "forward", 1)
    entity.table_entry.MergeFrom(p4r.TableEntry(**field))  # type: ignore[arg-type]
    assert await _failure(primary, p4r.Update.INSERT, entity) is code


@pytest.mark.requirement("13-4")
async def test_a_backup_may_read(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    entity = entities.entry("stations", [exact(1, STATION)], "forward", 1)
    await primary.insert(entity)
    async with connected(switch.address, election_id=0) as other:
        assert await other.read(entities.entry("stations")) == [entity]


@pytest.mark.requirement("9.9-1", "10-2", "13.2-2", "13.3-1", "13.3-3", "13.3-4")
async def test_a_read_returns_what_is_valid_and_reports_the_rest(
    primary: Controller, entities: Entities
) -> None:
    entity = entities.entry("stations", [exact(1, STATION)], "forward", 1)
    await primary.insert(entity)
    found, errors = await primary.read_partly(
        entities.entry("stations"),
        p4r.Entity(table_entry=p4r.TableEntry(table_id=1)),
        p4r.Entity(),
        p4r.Entity(extern_entry=p4r.ExternEntry(extern_id=1)),
    )
    assert found == [entity]
    assert [code for code, _ in errors] == [
        grpc.StatusCode.OK,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.INVALID_ARGUMENT,
        grpc.StatusCode.UNIMPLEMENTED,
    ]


@pytest.mark.requirement("13.2-1")
async def test_the_entire_state_can_be_read_with_one_request(
    primary: Controller, entities: Entities
) -> None:
    read = await primary.read(
        p4r.Entity(extern_entry=p4r.ExternEntry()),
        p4r.Entity(table_entry=p4r.TableEntry()),
        p4r.Entity(action_profile_member=p4r.ActionProfileMember()),
        p4r.Entity(action_profile_group=p4r.ActionProfileGroup()),
        p4r.Entity(meter_entry=p4r.MeterEntry()),
        p4r.Entity(direct_meter_entry=p4r.DirectMeterEntry()),
        p4r.Entity(counter_entry=p4r.CounterEntry()),
        p4r.Entity(direct_counter_entry=p4r.DirectCounterEntry()),
        p4r.Entity(packet_replication_engine_entry=p4r.PacketReplicationEngineEntry()),
        p4r.Entity(value_set_entry=p4r.ValueSetEntry()),
        p4r.Entity(register_entry=p4r.RegisterEntry()),
    )
    kinds = [entity.WhichOneof("entity") for entity in read]
    assert kinds == ["table_entry"] + ["counter_entry"] * 8 + ["register_entry"] * 8


@pytest.mark.requirement("9.9-1")
async def test_externs_are_unimplemented(primary: Controller) -> None:
    entity = p4r.Entity(extern_entry=p4r.ExternEntry(extern_id=1))
    assert await _failure(primary, p4r.Update.INSERT, entity) is grpc.StatusCode.UNIMPLEMENTED


async def _failure(
    controller: Controller, kind: p4r.Update.Type.ValueType, entity: p4r.Entity
) -> grpc.StatusCode:
    """The code with which the one update of a batch fails."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await controller.write(p4r.Update(type=kind, entity=entity))
    ((code, message),) = batch_errors(caught.value)
    assert message
    return code

"""The forwarding-pipeline config over gRPC (P4Runtime 1.5, sections 14 and 15)."""

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio
from finsy.proto import p4r
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import RunningSwitch

from .controller import DEVICE_ID, Controller, connected, pipeline_config
from .entities import Entities, exact

_WRAPPED = 0x1A  # field 3, bytes, of PI's p4.tmp.P4DeviceConfig
_REASSIGN = bytes((0x08, 0x01))
Set = p4r.SetForwardingPipelineConfigRequest
Get = p4r.GetForwardingPipelineConfigRequest


@pytest_asyncio.fixture
async def fresh(empty_switch: RunningSwitch) -> AsyncIterator[Controller]:
    """The primary of a switch without a program."""
    async with connected(empty_switch.address) as controller:
        await controller.become_primary()
        yield controller


@pytest.mark.requirement("12-3", "13-2", "15-4")
async def test_before_the_first_config_there_is_nothing_to_get_read_or_write(
    fresh: Controller, entities: Entities
) -> None:
    assert not (await fresh.get_config()).HasField("config")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await fresh.read(entities.entry("stations"))
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await fresh.insert(entities.entry("stations", [exact(1, 1)], "forward", 1))
    assert caught.value.code() is grpc.StatusCode.FAILED_PRECONDITION
    await fresh.packet_out(b"payload")
    report = (await fresh.receive()).error
    assert report.canonical_code == grpc.StatusCode.FAILED_PRECONDITION.value[0]


@pytest.mark.requirement("7-1", "15-2", "15-3")
async def test_a_committed_config_is_returned_in_the_parts_asked_for(
    fresh: Controller, kinds_json: Path
) -> None:
    config = pipeline_config(kinds_json, cookie=77)
    await fresh.set_config(Set.VERIFY_AND_COMMIT, config)
    assert (await fresh.get_config()).config == config
    parts = {
        Get.COOKIE_ONLY: (False, False),
        Get.P4INFO_AND_COOKIE: (True, False),
        Get.DEVICE_CONFIG_AND_COOKIE: (False, True),
    }
    for response_type, (has_p4info, has_device_config) in parts.items():
        part = (await fresh.get_config(response_type)).config
        assert part.cookie.cookie == 77
        assert part.HasField("p4info") == has_p4info
        assert bool(part.p4_device_config) == has_device_config


async def test_a_part_of_a_config_that_is_unknown_is_refused_by_its_number(
    fresh: Controller, kinds_json: Path
) -> None:
    await fresh.set_config(Set.VERIFY_AND_COMMIT, pipeline_config(kinds_json))
    unknown = p4r.GetForwardingPipelineConfigRequest(device_id=DEVICE_ID)
    unknown.ParseFromString(unknown.SerializeToString() + bytes([2 << 3, 9]))
    with pytest.raises(grpc.aio.AioRpcError, match="unknown response_type 9; valid: ALL") as caught:
        await fresh.stub.GetForwardingPipelineConfig(unknown)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.requirement("15-6")
async def test_without_cookie_none_is_returned(fresh: Controller, kinds_json: Path) -> None:
    await fresh.set_config(Set.VERIFY_AND_COMMIT, pipeline_config(kinds_json))
    config = (await fresh.get_config(Get.COOKIE_ONLY)).config
    assert not config.HasField("cookie")


@pytest.mark.requirement("15-2", "15-5", "15-6")
async def test_the_program_that_a_switch_was_started_with_is_returned_without_cookie(
    primary: Controller, kinds_json: Path
) -> None:
    assert (await primary.get_config()).config == pipeline_config(kinds_json)


@pytest.mark.requirement("A.4.2-1", "A.4.2-2")
@pytest.mark.parametrize("size_bytes", [5 << 20, 60 << 20])
async def test_large_programs_are_received(
    fresh: Controller, kinds_json: Path, size_bytes: int
) -> None:
    config = pipeline_config(kinds_json)
    config.p4_device_config += b" " * size_bytes
    await fresh.set_config(Set.VERIFY, config)


@pytest.mark.requirement("14-3")
async def test_verify_changes_nothing(fresh: Controller, kinds_json: Path) -> None:
    await fresh.set_config(Set.VERIFY, pipeline_config(kinds_json))
    assert not (await fresh.get_config()).HasField("config")


@pytest.mark.requirement("5.1-1", "14-6")
async def test_a_commit_clears_the_state(
    primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    entity = entities.entry("stations", [exact(1, 1)], "forward", 1)
    entity.table_entry.metadata = b"ours"
    await primary.insert(entity)
    await primary.modify(entities.cell("marks", 0, b"\x01"))
    await primary.set_config(Set.VERIFY_AND_COMMIT, pipeline_config(kinds_json))
    assert await primary.read(entities.entry("stations")) == []
    assert await primary.read(entities.cell("marks", 0)) == [entities.cell("marks", 0, b"\x00")]


@pytest.mark.parametrize(
    "action",
    [Set.VERIFY, Set.VERIFY_AND_SAVE, Set.VERIFY_AND_COMMIT, Set.RECONCILE_AND_COMMIT],
)
@pytest.mark.requirement("14-4")
async def test_a_config_that_cannot_be_realized_replaces_nothing(
    primary: Controller,
    entities: Entities,
    kinds_json: Path,
    action: p4r.SetForwardingPipelineConfigRequest.Action.ValueType,
) -> None:
    entity = entities.entry("stations", [exact(1, 1)], "forward", 1)
    await primary.insert(entity)
    before = await primary.get_config()
    not_json = pipeline_config(kinds_json)
    not_json.p4_device_config = not_json.p4_device_config[:1000]
    other_p4info = pipeline_config(kinds_json)
    other_p4info.p4info.registers[0].size += 1
    for config in (None, p4r.ForwardingPipelineConfig(), not_json, other_p4info):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await primary.set_config(action, config)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert len((caught.value.details() or "").splitlines()) == 1
    assert await primary.get_config() == before
    assert await primary.read(entities.entry("stations")) == [entity]


@pytest.mark.requirement("14-5", "14-7")
async def test_a_saved_config_takes_writes_and_commit_replays_them(
    switch: RunningSwitch, primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    old = entities.entry("stations", [exact(1, 1)], "forward", 1)
    new = entities.entry("stations", [exact(1, 2)], "forward", 2)
    mark = entities.cell("marks", 1, b"\x05")
    await primary.insert(old)
    await primary.set_config(Set.VERIFY_AND_SAVE, pipeline_config(kinds_json, cookie=2))
    assert await primary.read(entities.entry("stations")) == []
    await primary.insert(new)
    await primary.modify(mark)
    with pytest.raises(grpc.aio.AioRpcError):
        await primary.insert(new)
    assert _ports(switch) == [b"\x00\x01"]
    await primary.set_config(Set.COMMIT, None)
    assert _ports(switch) == [b"\x00\x02"]
    assert await primary.read(entities.entry("stations"), entities.cell("marks", 1)) == [new, mark]
    assert (await primary.get_config(Get.COOKIE_ONLY)).config.cookie.cookie == 2


@pytest.mark.requirement("14-8", "14-9")
async def test_commit_needs_a_saved_config_and_takes_none(
    fresh: Controller, kinds_json: Path
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await fresh.set_config(Set.COMMIT, None)
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await fresh.set_config(Set.COMMIT, pipeline_config(kinds_json))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_program_without_p4info_runs_and_is_told_of(
    fresh: Controller, kinds_json: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As on BMv2; a P4Info has been forgotten."""
    config = pipeline_config(kinds_json)
    told = (
        "a program without P4Info was pushed: controllers can name none of its tables, counters "
        "or registers"
    )
    await fresh.set_config(Set.VERIFY_AND_COMMIT, config)
    assert told not in caplog.messages
    config.p4info.Clear()
    await fresh.set_config(Set.VERIFY_AND_COMMIT, config)
    assert caplog.messages.count(told) == 1


async def test_clauses_of_restrictions_that_are_not_understood_are_told_of(
    fresh: Controller, kinds_json: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = pipeline_config(kinds_json)
    config.p4info.tables[0].preamble.annotations.append('@entry_restriction("a = 1; true; b ==")')
    await fresh.set_config(Set.VERIFY_AND_COMMIT, config)
    name = config.p4info.tables[0].preamble.name
    assert (
        "clauses of restrictions in P4Info that the switch does not understand and ignores: 2; "
        "the first: "
        f"table {name}: a = 1"
    ) in caplog.messages


async def test_a_p4info_of_another_version_of_the_program_is_told_of(
    fresh: Controller, kinds_json: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A table has been renamed, and P4Info was not written again."""
    config = pipeline_config(kinds_json)
    table = next(each for each in config.p4info.tables if each.preamble.alias == "stations")
    table.preamble.name = "KindsIngress.hosts"
    await fresh.set_config(Set.VERIFY_AND_COMMIT, config)
    assert (
        "P4Info is of another version of the program: table KindsIngress.hosts is in P4Info only, "
        "table KindsIngress.stations is not in P4Info; compile both again"
    ) in caplog.messages


@pytest.mark.parametrize("name", ["tbl_act", "switch_1_table"])
async def test_a_table_of_the_compiler_tells_nothing_of_the_version(
    fresh: Controller, kinds_json: Path, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    """P4Info has none of them, and may have a table that the compiler has left out."""
    config = pipeline_config(kinds_json)
    stations = b'"KindsIngress.stations"'
    assert stations in config.p4_device_config
    config.p4_device_config = config.p4_device_config.replace(stations, f'"{name}"'.encode())
    await fresh.set_config(Set.VERIFY_AND_COMMIT, config)
    assert not any("of another version" in line for line in caplog.messages)


async def test_a_missing_action_is_refused(fresh: Controller, kinds_json: Path) -> None:
    with pytest.raises(grpc.aio.AioRpcError, match="RECONCILE_AND_COMMIT") as caught:
        await fresh.set_config(Set.UNSPECIFIED, pipeline_config(kinds_json))
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def _ports(switch: RunningSwitch) -> list[bytes]:
    """Where the entries of the engine's table stations forward to."""
    json = (Path(__file__).parent / "programs" / "kinds.json").read_bytes()
    program = Programmed.of(switch.engine, json)
    found = program.entries("KindsIngress.stations").values()
    return [port.to_bytes(2, "big") for [port] in found]


async def test_a_program_in_the_deprecated_wrapper_of_pi_is_the_program(
    fresh: Controller, entities: Entities, kinds_json: Path
) -> None:
    config = pipeline_config(kinds_json)
    config.p4_device_config = _REASSIGN + _wrapped(config.p4_device_config)
    await fresh.set_config(Set.VERIFY_AND_COMMIT, config)
    await fresh.insert(entities.entry("stations", [exact(1, 1)], "forward", 1))
    assert (await fresh.get_config()).config == config


def _wrapped(data: bytes) -> bytes:
    """As a protobuf field: tag, length in groups of seven bits, data."""
    groups = []
    length = len(data)
    while length >= 0x80:
        groups.append(length & 0x7F | 0x80)
        length >>= 7
    return bytes((_WRAPPED, *groups, length)) + data

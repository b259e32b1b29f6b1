"""A controller with the role of buffer control beside finsy with that of forwarding, over gRPC."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from pathlib import Path

import finsy
import pytest
from finsy.proto import p4i, p4r, stratum
from google.protobuf import text_format
from p4abs.access.connection import Connection, Role
from p4abs.access.election import Election, rights_to_control, role_of
from p4abs.access.mailbox import HeadForm, RecordForm
from p4abs.access.program import (
    PACKET_IN_METER,
    MissingObjects,
    Program,
    load_program,
    p4info_path,
    program_path,
)
from p4abs.access.rpc_error import RpcError
from p4abs.access.tables.packet_ins import RATE_PPS
from p4abs.config import Source, load_settings
from p4abs.errors import UserError
from p4abs.p4_constants import CPU_PORT, PACKET_IN_REDIRECTED
from p4abs.session import SwitchState
from p4abs.session.prepare import foresee
from p4abs.targets.bmv2 import Bmv2
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from controller.tests.recorder import at_work

pytestmark = pytest.mark.usefixtures("patience")

PROGRAM = load_program("queue")
P4INFO = p4info_path(program_path("queue"))
ARP = 0x0806
STORM_PACKETS = 500
SCHEMA = finsy.P4Schema(PROGRAM.p4info)
P4INFOS = sorted((Path(__file__).parents[3] / "p4src" / "build").rglob("*.p4info.txtpb"))
PREFIXES = [f"10.{number}.0.0/16" for number in range(100)]


def settings(address: str, role: str | None = "buffer_control", **flags: str):
    port = {"number": "2", "capacity": "10Mbit"}
    flags = {"grpc-addr": address, "role": role, **flags}
    return load_settings(Source(), flags, [port]).switch[0]


def rights(role: str) -> stratum.P4RoleConfig:
    told, config = role_of(role, PROGRAM.p4info), stratum.P4RoleConfig()
    assert told is not None
    told.config.Unpack(config)
    return config


def client(address: str, role: str) -> finsy.Switch:
    """It gets all packets, and keeps the rights of its role when it ends."""
    config = rights(role)
    config.ClearField("packet_in_filter")
    options = finsy.SwitchOptions(p4info=P4INFO, role_name=role, role_config=config, fail_fast=True)
    return finsy.Switch(role, address, options)


def router(address: str) -> finsy.Switch:
    """It writes routes and traps."""
    return client(address, "forwarding")


@asynccontextmanager
async def side_by_side(**flags: str):
    async with (
        running(config(program=program_path("queue")), live=True) as switch,
        at_work(settings(switch.address, **flags)) as run,
        router(switch.address) as finsy_switch,
    ):
        yield switch, run, finsy_switch


def program(switch) -> Programmed:
    return Programmed.of(switch.engine, program_path("queue").read_bytes())


def excess(switch) -> int:
    """Packets of class 1 that were more than its rate allows."""
    packets, _ = program(switch).counted("AbsIngress.trap.excess_packet_ins", 1)
    return packets


def route(prefix: str, port: int = 1) -> finsy.P4TableEntry:
    action = finsy.Action("route_ipv4", port=port, src_mac=1, dst_mac=2)
    return finsy.P4TableEntry("ipv4_route", match=finsy.Match(ipv4_dst=prefix), action=action)


async def test_routes_change_while_no_exchange_is_lost(eventually) -> None:
    async with side_by_side() as (switch, run, finsy_switch):
        await eventually(lambda: run.events.ticks > 3)
        for prefix in PREFIXES:
            await finsy_switch.insert([route(prefix)])
        for prefix in PREFIXES:
            await finsy_switch.modify([route(prefix, port=2)])
        entries = program(switch).entries("AbsIngress.forwarding.ipv4_route")
        assert len(entries) == len(PREFIXES)
        assert run.controller.state is SwitchState.CONTROLLING
        assert run.controller.loop.statistics.lost_exchanges == 0
        assert run.controller.register_path == "mailbox"


async def test_a_storm_for_the_router_loses_no_exchange_and_is_bounded(eventually) -> None:
    arp = bytes([255] * 6) + bytes(6) + ARP.to_bytes(2) + bytes(46)
    redirect = finsy.P4TableEntry(
        "trap",
        match=finsy.Match(ether_type=ARP),
        action=finsy.Action("redirect", packet_in_class=1),
        priority=1,
    )

    async def first_of_the_storm(switch: finsy.Switch) -> finsy.P4PacketIn:
        async for packet in switch.read_packets():
            if packet["reason"] == PACKET_IN_REDIRECTED:
                return packet
        raise AssertionError("none came")

    async with running(config(program=program_path("queue")), live=True) as switch:
        await set_rate(switch.address, 1, packets_per_s=1)
        async with (
            at_work(settings(switch.address)) as run,
            router(switch.address) as finsy_switch,
        ):
            await eventually(lambda: run.events.ticks > 3)
            await finsy_switch.insert([redirect])
            first, ticks = asyncio.create_task(first_of_the_storm(finsy_switch)), run.events.ticks
            await asyncio.sleep(0)
            for _ in range(STORM_PACKETS):
                await finsy_switch.write(
                    [finsy.P4PacketOut(arp, egress_port=0, submit_to_ingress=1, unused_pad=0)]
                )
            assert (await first).payload == arp
            await eventually(lambda: run.events.ticks > ticks + 3)
            assert run.controller.loop.statistics.lost_exchanges == 0
            await eventually(lambda: excess(switch) > STORM_PACKETS // 2)


def malformed() -> Iterator[p4r.PacketOut]:
    """Requests that are cut, of other counts of records than they have, and of queues that do not
    exist; frames of no bytes and of more than any link takes; metadata that the program does not
    have, that is there twice or too wide."""

    def metadata(*values: tuple[int, bytes]) -> list[p4r.PacketMetadata]:
        return [p4r.PacketMetadata(metadata_id=number, value=value) for number, value in values]

    def sent(port: int, frame: bytes, submit: int = 0) -> p4r.PacketOut:
        given = ((1, port.to_bytes(2).lstrip(b"\0")), (2, bytes([submit])), (3, b"\0"))
        return p4r.PacketOut(payload=frame, metadata=metadata(*given))

    head, record = HeadForm(PROGRAM.mailbox_bits("mailbox")), RecordForm(PROGRAM).blank([4_095])
    whole = head.packed(1, 1) + record.tobytes()
    for length_bytes in range(0, len(whole) + 1, 3):
        yield sent(CPU_PORT, whole[:length_bytes])
    for count in (0, 2, 255):
        yield sent(CPU_PORT, head.packed(2, count) + record.tobytes())
    for length_bytes in (0, 13, 1_515, 65_535):
        yield sent(1, bytes(length_bytes))
        yield sent(1, bytes(length_bytes), submit=1)
    for given in (
        (),
        ((1, b"\x01"),),
        ((1, b"\x01"), (2, b"\0"), (3, b"\0"), (3, b"\0")),
        ((1, b"\xff" * 1_000), (2, b"\0"), (3, b"\0")),
        ((0, b"\x01"), (2, b"\0"), (3, b"\0")),
        ((2**32 - 1, b"\x01"), (2, b"\0"), (3, b"\0")),
    ):
        yield p4r.PacketOut(payload=whole, metadata=metadata(*given))


async def test_malformed_packet_outs_lose_no_exchange_and_write_nothing(eventually) -> None:
    async with (
        running(config(program=program_path("queue")), live=True) as switch,
        at_work(settings(switch.address)) as run,
        Connection(switch.address, 1, Election(1, "forwarding")) as other,
    ):
        await eventually(lambda: run.events.ticks > 3)
        limits = [("queue_limit_bytes", port) for port in range(512)]
        before, ticks = switch.engine.registers_read(limits), run.events.ticks
        for _ in range(5):
            for packet in malformed():
                other.packet_out(packet)
        await eventually(lambda: run.events.ticks > ticks + 10)
        assert run.controller.state is SwitchState.CONTROLLING
        assert run.controller.loop.statistics.lost_exchanges == 0
        after = switch.engine.registers_read(limits)
        assert after[:2] + after[3:] == before[:2] + before[3:], "port 2 is under control"


async def test_what_is_one_roles_is_not_the_others_to_write(eventually) -> None:
    async with side_by_side() as (_, run, finsy_switch):
        await eventually(lambda: run.controller.state is SwitchState.CONTROLLING)
        config = finsy.P4MeterConfig(cir=1, cburst=1, pir=1, pburst=1)
        bound = finsy.P4MeterEntry(PACKET_IN_METER, index=1, config=config)
        with pytest.raises(finsy.P4ClientError, match="buffer_control"):
            await finsy_switch.modify([bound])
        async with Connection(finsy_switch.address, 1, 1) as anybody:
            update = p4r.Update(
                type=p4r.Update.INSERT,
                entity=route("10.0.0.0/8").encode(SCHEMA),
            )
            with pytest.raises(RpcError, match="forwarding"):
                await anybody.write([update], 5.0)


def rate_update(packet_class: int, packets_per_s: int) -> p4r.Update:
    chosen = finsy.P4MeterConfig(cir=packets_per_s, cburst=7, pir=packets_per_s, pburst=7)
    entity = finsy.P4MeterEntry(PACKET_IN_METER, index=packet_class, config=chosen).encode(SCHEMA)
    return p4r.Update(type=p4r.Update.MODIFY, entity=entity)


async def set_rate(address: str, packet_class: int, packets_per_s: int) -> None:
    async with Connection(address, 1, 1) as connection:
        await connection.write([rate_update(packet_class, packets_per_s)], 5.0)


async def test_rates_that_somebody_has_set_stay(eventually) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        await set_rate(switch.address, 2, packets_per_s=7)
        async with at_work(settings(switch.address, role=None)) as run:
            await eventually(lambda: run.controller.state is SwitchState.CONTROLLING)
        async with Connection(switch.address, 1, 1) as connection:
            read = await connection.read([finsy.P4MeterEntry(PACKET_IN_METER).encode(SCHEMA)], 5.0)
        rates = [each.meter_entry.config.cir for each in read]
        assert rates == [RATE_PPS, RATE_PPS, 7, RATE_PPS]


async def test_control_without_role_says_that_another_controller_has_the_rights(eventually) -> None:
    """By the mailbox, which knows no roles, both set limits."""
    async with (
        running(config(program=program_path("queue")), live=True) as switch,
        at_work(settings(switch.address)) as first,
    ):
        await eventually(lambda: first.events.ticks > 0)
        async with at_work(settings(switch.address, role=None)) as second:
            await eventually(lambda: second.events.said("exclusive to role buffer_control"))
            assert second.events.said("; take this role (role = 'buffer_control')")
        assert not first.events.said("role")


@pytest.fixture
def patient_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy switch may need longer to take the last bid than a controller that ends waits."""
    monkeypatch.setattr("p4abs.access.connection.END_TIMEOUT_S", 60.0)


@pytest.mark.usefixtures("patient_end")
async def test_control_that_ends_gives_the_rights_of_its_role_back(eventually) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        async with at_work(settings(switch.address)) as run:
            await eventually(lambda: run.events.ticks > 0)
            await expect_rights_of_control(switch.address)
        await set_rate(switch.address, 1, packets_per_s=1)
        async with at_work(settings(switch.address, role=None)) as run:
            await eventually(lambda: run.controller.state is SwitchState.CONTROLLING)


@pytest.mark.usefixtures("patient_end")
async def test_control_that_cannot_begin_gives_the_rights_of_its_role_back() -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        sharing = {"memory": "1MB", "memory-sharing": "dynamic-thresholds"}
        async with at_work(settings(switch.address, **sharing)) as run:
            with pytest.raises(UserError, match="memory-sharing"):
                await run.task
        await set_rate(switch.address, 1, packets_per_s=1)


async def test_control_without_the_role_whose_rights_nobody_gave_back_says_what_to_do(
    eventually,
) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        async with client(switch.address, "buffer_control"):
            await expect_rights_of_control(switch.address)
        by_entries = {"register-path": "register-entry"}
        async with at_work(settings(switch.address, None, **by_entries)) as run:
            await eventually(lambda: run.events.said("take this role (role = 'buffer_control')"))
            assert run.events.said("or restart the switch")


def test_a_role_without_rights_is_refused_by_name() -> None:
    with pytest.raises(MissingObjects, match=r"gives the role spectator no rights; .*forwarding"):
        role_of("spectator", PROGRAM.p4info)
    assert role_of("", PROGRAM.p4info) is None
    told = role_of("forwarding", None)
    assert told is not None
    assert not told.HasField("config")


@pytest.mark.parametrize("role", ["spectator", "forwarding"])
async def test_a_role_that_may_not_write_limits_is_refused_before_anything_is_written(
    role: str,
) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        async with at_work(settings(switch.address, role=role)) as run:
            with pytest.raises(UserError, match=f"the role {role}"):
                await run.task
        assert switch.engine.registers_read([("queue_limit_bytes", 2)]) == [0]
        async with Connection(switch.address, 1, 1) as connection:
            read = await connection.read([finsy.P4MeterEntry(PACKET_IN_METER).encode(SCHEMA)], 5.0)
            assert not any(each.meter_entry.HasField("config") for each in read)
            # Nobody has taken the rights of the role.
            insert = p4r.Update(type=p4r.Update.INSERT, entity=route("10.0.0.0/8").encode(SCHEMA))
            await connection.write([insert], 5.0)


@pytest.mark.parametrize(
    ("role", "is_refused"), [("", False), ("buffer_control", False), ("forwarding", True)]
)
@pytest.mark.parametrize("build", P4INFOS, ids=lambda path: path.name)
def test_the_role_of_buffer_control_suffices_for_every_program(
    build: Path, role: str, is_refused: bool
) -> None:
    p4info = text_format.Parse(build.read_text(), p4i.P4Info())
    with pytest.raises(MissingObjects, match=role) if is_refused else nullcontext():
        rights_to_control(role, p4info)


def test_no_object_has_two_roles() -> None:
    roles = ("forwarding", "buffer_control")
    forwarding, control = (set(rights(role).exclusive_p4_ids) for role in roles)
    assert forwarding
    assert control
    assert not forwarding & control


def test_entries_are_not_the_role_of_buffer_control_to_write() -> None:
    with pytest.raises(UserError, match="the role buffer_control may not write forwarding entries"):
        settings("127.0.0.1:1", runtime="leaf.json")


def test_an_old_program_is_refused_before_it_is_pushed(tmp_path: Path) -> None:
    text = P4INFO.read_text().replace('version: "3.', 'version: "2.')
    (tmp_path / "old.p4info.txtpb").write_text(text)
    (tmp_path / "old.json").write_bytes(PROGRAM.device_config)
    with pytest.raises(MissingObjects, match=r"p4abs\.queue 2\..* versions 3\.x"):
        Bmv2().load(str(tmp_path / "old.json"))


async def test_an_old_program_is_refused_by_name(eventually) -> None:
    old = p4i.P4Info.FromString(PROGRAM.p4info.SerializeToString())
    old.pkg_info.version = "2.3.0"
    async with running(config(), live=False) as switch:
        async with Connection(switch.address, 1, 1) as connection:
            await connection.push(type(PROGRAM)(old, PROGRAM.device_config))
        async with at_work(settings(switch.address, role=None)) as run:
            with pytest.raises(UserError, match=r"p4abs\.queue 2\.3\.0; .* versions 3\.x"):
                await run.task


@pytest.mark.parametrize("installed", [None, "2.3.0"])
async def test_a_role_has_its_rights_of_the_program_that_it_pushes(eventually, installed) -> None:
    async with running(config(), live=False) as switch:
        if installed is not None:
            async with Connection(switch.address, 1, 1) as connection:
                await connection.push(without_roles(installed))
        async with at_work(settings(switch.address), PROGRAM) as run:
            await eventually(lambda: run.controller.state is SwitchState.CONTROLLING)
            await expect_rights_of_control(switch.address)


async def test_a_backup_that_takes_over_has_its_rights() -> None:
    async with (
        running(config(program=program_path("queue")), live=False) as switch,
        AsyncExitStack() as first,
        AsyncExitStack() as second,
    ):

        def session(election_id: int) -> Connection:
            election = Election(election_id, "buffer_control")
            return Bmv2().session(switch.address, 1, election, None)

        await first.enter_async_context(session(2))
        backup = await second.enter_async_context(session(1))
        assert await foresee(Bmv2(), backup, None) is not None
        await first.aclose()
        await backup.until(lambda: backup.role is Role.PRIMARY)
        await expect_rights_of_control(switch.address)


async def expect_rights_of_control(address: str) -> None:
    """Somebody without a role may not write what is that role's."""
    async with Connection(address, 1, 1) as anybody:
        with pytest.raises(RpcError, match="buffer_control"):
            await anybody.write([rate_update(1, packets_per_s=1)], 5.0)


def without_roles(version: str) -> Program:
    """The program as it was before it had any."""
    old = p4i.P4Info.FromString(PROGRAM.p4info.SerializeToString())
    old.pkg_info.version = version
    for objects in (old.tables, old.counters, old.direct_counters, old.meters, old.registers):
        for each in objects:
            each.preamble.ClearField("annotations")
    return Program(old, PROGRAM.device_config)

"""The server as finsy, a complete P4Runtime client, sees it."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from pathlib import Path
from typing import TypeVar, cast

import finsy as fy
import pytest_asyncio
from p4abs_switch import PortConfig
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from .controller import PATIENCE_S


@pytest_asyncio.fixture
async def finsy(kinds_json: Path) -> AsyncIterator[fy.Switch]:
    """A finsy client that has become primary and has pushed the kinds program."""
    options = fy.SwitchOptions(p4info=kinds_json.with_suffix(".p4info.txtpb"), p4blob=kinds_json)
    settings = config(ports=[PortConfig(1), PortConfig(2)])
    async with (
        running(settings, live=False) as switch,
        fy.Switch("kinds", switch.address, options) as client,
    ):
        yield client


async def test_finsy_becomes_primary_and_pushes_its_pipeline(finsy: fy.Switch) -> None:
    assert finsy.is_primary
    assert finsy.p4info.exists


async def test_finsy_writes_and_reads_entries(finsy: fy.Switch) -> None:
    entry = fy.P4TableEntry(
        "acl",
        match=fy.P4TableMatch(
            {"hdr.ethernet.ether_type": (0x0800, 0xFF00), "standard_metadata.ingress_port": 5}
        ),
        action=fy.P4TableAction("forward", port=2),
        priority=7,
    )
    await finsy.insert([entry])
    (read,) = await _read(finsy, fy.P4TableEntry("acl"))
    assert read.action == entry.action
    assert read.priority == 7


async def test_finsy_writes_and_reads_registers(finsy: fy.Switch) -> None:
    await finsy.modify([fy.P4RegisterEntry("balances", index=1, data=-5)])
    found = await _read(finsy, fy.P4RegisterEntry("balances"))
    assert [(entry.index, entry.data) for entry in found] == [(0, 0), (1, -5), (2, 0), (3, 0)]


async def test_finsy_deletes_everything(finsy: fy.Switch) -> None:
    forward = fy.P4TableAction("forward", port=2)
    await finsy.insert(
        [
            fy.P4TableEntry("prefixes", match=fy.P4TableMatch(), action=forward),
            fy.P4TableEntry("stations", match=fy.P4TableMatch({"destination": 1}), action=forward),
        ]
    )
    await finsy.modify([fy.P4TableEntry("keyless", action=forward, is_default_action=True)])
    await finsy.delete_all()
    left = await _read(finsy, fy.P4TableEntry("prefixes"))
    left += await _read(finsy, fy.P4TableEntry("stations"))
    assert left == []
    default = fy.P4TableEntry("keyless", is_default_action=True)
    (read,) = await _read(finsy, default)
    assert read.action == fy.P4TableAction("NoAction")


async def test_finsy_exchanges_packets(finsy: fy.Switch) -> None:
    # finsy listens from the first call on.
    received = asyncio.create_task(_next(finsy.read_packets()))
    await asyncio.sleep(0)
    await finsy.write([fy.P4PacketOut(b"\x00\x03payload", egress_port=510, mark=0, unused=0)])
    packet = await asyncio.wait_for(received, PATIENCE_S)
    assert packet.payload == b"payload"
    assert packet["mark"] == 3


async def _next(packets: AsyncIterator[fy.P4PacketIn]) -> fy.P4PacketIn:
    return await anext(packets)


_Entity = TypeVar("_Entity", bound=fy.P4TableEntry | fy.P4RegisterEntry)


async def _read(client: fy.Switch, wanted: _Entity) -> list[_Entity]:
    found: AsyncIterable[_Entity] = cast(AsyncIterable[_Entity], client.read(wanted))
    return [entity async for entity in found]

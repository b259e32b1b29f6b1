"""Every kind of entity as finsy writes, reads and receives it."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator
from pathlib import Path
from typing import Any, TypeVar, cast

import finsy as fy
import pytest
import pytest_asyncio
from finsy.p4entity import P4Replica, P4ValueSetMember
from p4abs_switch import PortConfig
from p4abs_switch.server.serve import RunningSwitch, running
from p4abs_switch.testing import config

from .controller import PATIENCE_S
from .entities import frame

_Entity = TypeVar("_Entity")


@pytest_asyncio.fixture
async def served() -> AsyncIterator[RunningSwitch]:
    ports = [PortConfig(number) for number in (1, 2, 3)]
    async with running(config(ports=ports), live=False) as switch:
        yield switch


@pytest_asyncio.fixture
async def finsy(served: RunningSwitch, resources_json: Path) -> AsyncIterator[fy.Switch]:
    """A finsy client that has become primary and has pushed the resources program."""
    options = fy.SwitchOptions(
        p4info=resources_json.with_suffix(".p4info.txtpb"), p4blob=resources_json
    )
    async with fy.Switch("resources", served.address, options) as client:
        yield client


async def test_action_profile_members_groups_and_entries(finsy: fy.Switch) -> None:
    members = [
        fy.P4ActionProfileMember(
            "paths", member_id=port, action=fy.P4TableAction("forward", port=port)
        )
        for port in (1, 2)
    ]
    group = fy.P4ActionProfileGroup(
        "paths",
        group_id=7,
        max_size=8,
        members=[fy.P4Member(1, weight=2), fy.P4Member(2, weight=1)],
    )
    entry = fy.P4TableEntry(
        "balanced",
        match=fy.P4TableMatch({"destination": 1}),
        action=fy.P4IndirectAction(group_id=7),
    )
    await finsy.insert(members)
    await finsy.insert([group])
    await finsy.insert([entry])
    assert await _read(finsy, fy.P4ActionProfileMember("paths")) == members
    assert await _read(finsy, fy.P4ActionProfileGroup("paths")) == [group]
    (read,) = await _read(finsy, fy.P4TableEntry("balanced"))
    assert read.action == entry.action


@pytest.mark.requirement("9.2.4-1")
async def test_one_shot_action_sets(finsy: fy.Switch) -> None:
    forward = fy.P4TableAction("forward", port=2)
    entry = fy.P4TableEntry(
        "balanced",
        match=fy.P4TableMatch({"destination": 1}),
        action=fy.P4IndirectAction(action_set=[(3, forward), (1, fy.P4TableAction("drop"))]),
    )
    await finsy.insert([entry])
    (read,) = await _read(finsy, fy.P4TableEntry("balanced"))
    assert read.action == entry.action


async def test_multicast_groups_and_clone_sessions(finsy: fy.Switch) -> None:
    group = fy.P4MulticastGroupEntry(4, replicas=(1, P4Replica(2, instance=5)))
    session = fy.P4CloneSessionEntry(5, packet_length_bytes=64, replicas=(3,))
    await finsy.insert([group, session])
    assert await _read(finsy, fy.P4MulticastGroupEntry()) == [group]
    assert await _read(finsy, fy.P4CloneSessionEntry()) == [session]


async def test_meters_and_direct_meters(finsy: fy.Switch) -> None:
    rates = fy.P4MeterConfig(cir=1000, cburst=100, pir=2000, pburst=200)
    entry = fy.P4TableEntry(
        "classes",
        match=fy.P4TableMatch({"destination": 1}),
        action=fy.P4TableAction("classify"),
        meter_config=rates,
    )
    await finsy.insert([entry])
    await finsy.modify([fy.P4MeterEntry("port_rates", index=2, config=rates)])
    (read,) = await _read(finsy, fy.P4MeterEntry("port_rates", index=2))
    assert read.config == rates
    (direct,) = await _read(finsy, fy.P4DirectMeterEntry(table_entry=fy.P4TableEntry("classes")))
    assert direct.config == rates


async def test_direct_counters(served: RunningSwitch, finsy: fy.Switch) -> None:
    match = fy.P4TableMatch({"ether_type": 0x0800})
    entry = fy.P4TableEntry("hits", match=match, action=fy.P4TableAction("NoAction"))
    await finsy.insert([entry])
    served.engine.inject(1, frame(1, 2, 0x0800), 1)
    served.engine.run_until(1)
    (read,) = await _read(finsy, fy.P4DirectCounterEntry("hit_counts"))
    assert (read.packet_count, read.byte_count) == (1, 60)


async def test_value_sets(finsy: fy.Switch) -> None:
    entry = fy.P4ValueSetEntry("tagged", members=[P4ValueSetMember(0x8100)])
    await finsy.modify([entry])
    (read,) = await _read(finsy, fy.P4ValueSetEntry("tagged", members=[]))
    assert read.members == entry.members


@pytest.mark.requirement("9.8-9")
async def test_digests_and_their_acknowledgment(served: RunningSwitch, finsy: fy.Switch) -> None:
    await finsy.insert([fy.P4DigestEntry("sighting_t", max_list_size=1, ack_timeout_ns=10**12)])
    received = asyncio.create_task(_take(finsy.read_digests("sighting_t"), 2))
    await asyncio.sleep(0)
    for at_ns, source in ((1, 5), (2, 5), (3, 6)):
        served.engine.inject(1, frame(1, source, 0x0800), at_ns)
    served.engine.run_until(3)
    first, second = await asyncio.wait_for(received, PATIENCE_S)
    assert [first[0], second[0]] == [{"source": 5, "port": 1}, {"source": 6, "port": 1}]
    await finsy.write([fy.P4DigestListAck("sighting_t", first.list_id)])


async def test_idle_timeouts(served: RunningSwitch, finsy: fy.Switch) -> None:
    entry = fy.P4TableEntry(
        "sources",
        match=fy.P4TableMatch({"source": 5}),
        action=fy.P4TableAction("NoAction"),
        idle_timeout_ns=1000,
    )
    await finsy.insert([entry])
    received = asyncio.create_task(_take(finsy.read_idle_timeouts(), 1))
    await asyncio.sleep(0)
    served.engine.run_until(1000)
    (notification,) = await asyncio.wait_for(received, PATIENCE_S)
    assert [idle.match for idle in notification.table_entry] == [entry.match]


async def test_everything_is_deleted(finsy: fy.Switch) -> None:
    member = fy.P4ActionProfileMember(
        "next_hops", member_id=1, action=fy.P4TableAction("forward", port=1)
    )
    await finsy.insert([member, fy.P4MulticastGroupEntry(4, replicas=(1,))])
    await finsy.delete_all()
    assert await _read(finsy, fy.P4ActionProfileMember()) == []
    assert await _read(finsy, fy.P4MulticastGroupEntry()) == []


async def _take(received: AsyncIterator[_Entity], count: int) -> list[_Entity]:
    return [await anext(received) for _ in range(count)]


async def _read(client: fy.Switch, wanted: _Entity) -> list[_Entity]:
    found: AsyncIterable[_Entity] = cast(AsyncIterable[_Entity], client.read(cast(Any, wanted)))
    return [entity async for entity in found]

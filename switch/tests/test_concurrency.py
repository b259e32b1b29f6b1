"""Requests and elections at the same time (P4Runtime 1.5, sections 5.3, 12.1 and 13.4)."""

import asyncio
from pathlib import Path

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, connected, pipeline_config
from .entities import Entities


@pytest.mark.requirement("12.1-1", "13.4-1")
async def test_writes_leave_what_one_after_another_leaves(
    primary: Controller, entities: Entities
) -> None:
    await asyncio.gather(*(_mark(primary, entities, number) for number in range(1, 17)))
    assert len(await _marks(primary, entities)) == 1


@pytest.mark.requirement("12.1-1", "13.4-2")
async def test_a_read_of_many_messages_sees_a_write_as_a_whole_or_not_at_all(
    primary: Controller, entities: Entities
) -> None:
    reads = [_marks(primary, entities, repeated=100) for _ in range(8)]
    writes = [_mark(primary, entities, number) for number in range(1, 9)]
    results = await asyncio.gather(
        *(task for pair in zip(reads, writes, strict=True) for task in pair)
    )
    assert all(len(marks) == 1 for marks in results if marks is not None)


@pytest.mark.requirement("5.3-15", "16.2-1")
async def test_a_write_is_finished_before_another_primary_is_accepted(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    async with connected(switch.address, 2) as new:
        writes = [asyncio.create_task(_mark(primary, entities, n)) for n in range(1, 9)]
        await new.become_primary()
        left = await _marks(new, entities)
        for outcome in await asyncio.gather(*writes, return_exceptions=True):
            if outcome is not None:
                assert isinstance(outcome, grpc.aio.AioRpcError)
                assert outcome.code() is grpc.StatusCode.PERMISSION_DENIED
        assert len(left) == 1
        assert await _marks(new, entities) == left


UPDATES = 100_000
"""Their Write takes long, beside other calls."""


def _long_write(controller: Controller, entities: Entities, value: bytes) -> p4r.WriteRequest:
    update = p4r.Update(type=p4r.Update.MODIFY, entity=entities.cell("marks", 0, value))
    election_id = p4r.Uint128(low=controller.election_id)
    return p4r.WriteRequest(device_id=1, election_id=election_id, updates=[update] * UPDATES)


@pytest.mark.requirement("12.1-1", "13.4-2")
async def test_a_write_waits_for_one_read_however_many_there_are(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    """Each asks for much, and has all of it at one instant."""
    request = p4r.ReadRequest(device_id=1, entities=[p4r.Entity(table_entry=p4r.TableEntry())])
    request.entities.extend(entities.cell("marks", index % 4) for index in range(UPDATES))
    read = request.SerializeToString()
    done, begun = list[str](), asyncio.Event()

    async def ask() -> None:
        async with grpc.aio.insecure_channel(switch.address) as channel:
            call = channel.unary_stream("/p4.v1.P4Runtime/Read")
            async for _ in call(read):
                pass
            done.append("read")
            begun.set()

    reads = [asyncio.create_task(ask()) for _ in range(12)]
    await begun.wait()
    await _mark(primary, entities, 1)
    done.append("write")
    assert await primary.stub.Capabilities(p4r.CapabilitiesRequest())
    await asyncio.gather(*reads)
    assert done.index("write") < 6, done


@pytest.mark.requirement("12.1-1", "13.4-1")
async def test_a_long_write_delays_no_call_that_need_not_wait_for_it(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    """Who asked for it may go: it is completed before another Write or a Read begins."""
    request = _long_write(primary, entities, b"\x07")
    last = p4r.Update(type=p4r.Update.MODIFY, entity=entities.cell("marks", 3, b"\x09"))
    request.updates[-1].CopyFrom(last)
    for goes in (False, True):
        await _mark(primary, entities, 1)
        write, answered = primary.stub.Write(request), 0
        while not write.done():
            await primary.stub.Capabilities(p4r.CapabilitiesRequest())
            answered += 1
            if goes and await _is_begun(switch):
                write.cancel()
        assert goes or answered > 3
        assert await _marks(primary, entities) == {b"\x07", b"\x01", b"\x09"}


async def _is_begun(switch: RunningSwitch) -> bool:
    """Whether the first update has been applied."""
    [first] = switch.engine.registers_read([("KindsIngress.marks", 0)])
    await asyncio.sleep(0)
    return first == 7


async def test_a_program_that_takes_long_to_compile_delays_no_call(
    primary: Controller, kinds_json: Path
) -> None:
    config = p4r.SetForwardingPipelineConfigRequest(
        device_id=1,
        election_id=p4r.Uint128(low=primary.election_id),
        action=p4r.SetForwardingPipelineConfigRequest.VERIFY,
        config=pipeline_config(kinds_json),
    )
    pushes = [primary.stub.SetForwardingPipelineConfig(config) for _ in range(20)]
    answered = 0
    while not all(push.done() for push in pushes):
        await primary.stub.Capabilities(p4r.CapabilitiesRequest())
        answered += 1
    await asyncio.gather(*pushes)
    assert answered > 3


async def _mark(controller: Controller, entities: Entities, number: int) -> None:
    """Writes a number to each cell of a register, each in an update of its own."""
    value = bytes([number])
    await controller.modify(*(entities.cell("marks", index, value) for index in range(4)))


async def _marks(controller: Controller, entities: Entities, repeated: int = 1) -> set[bytes]:
    """The numbers that one Read finds in the cells."""
    read = await controller.read(*[entities.cell("marks")] * repeated)
    return {entity.register_entry.data.bitstring for entity in read}

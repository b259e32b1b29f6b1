"""Requests and elections at the same time (P4Runtime 1.5, sections 5.3, 12.1 and 13.4)."""

import asyncio

import grpc
import pytest
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, connected
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


async def _mark(controller: Controller, entities: Entities, number: int) -> None:
    """Writes a number to each cell of a register, each in an update of its own."""
    value = bytes([number])
    await controller.modify(*(entities.cell("marks", index, value) for index in range(4)))


async def _marks(controller: Controller, entities: Entities, repeated: int = 1) -> set[bytes]:
    """The numbers that one Read finds in the cells."""
    read = await controller.read(*[entities.cell("marks")] * repeated)
    return {entity.register_entry.data.bitstring for entity in read}

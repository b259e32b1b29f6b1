"""Requests and elections at the same time (P4Runtime 1.5, sections 5.3, 12.1 and 13.4)."""

import asyncio
import threading
from unittest.mock import Mock

import grpc
import pytest
from p4abs_switch.server.serve import RunningSwitch
from p4abs_switch.server.service import P4RuntimeService

from .controller import PATIENCE_S, Controller, connected
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


class _Found:
    """A Read of two parts; the second is there once `ready` is set."""

    def __init__(self, ready: threading.Event) -> None:
        self._ready = ready
        self.is_complete = False

    def take(self) -> list[bytes]:
        if not self.is_complete:
            assert threading.current_thread() is not threading.main_thread()
            assert self._ready.wait(PATIENCE_S)
        self.is_complete = True
        return []

    def status(self) -> None:
        """All went well."""


class _Written:
    """A Write of some parts; the last is done once `ready` is set, if it is given."""

    def __init__(self, parts: int, ready: threading.Event | None = None) -> None:
        self._left = parts - 1
        self._ready = ready

    @property
    def is_complete(self) -> bool:
        return not self._left

    def go_on(self) -> None:
        assert threading.current_thread() is not threading.main_thread()
        assert self._ready is None or self._left > 1 or self._ready.wait(PATIENCE_S)
        self._left -= 1


async def _read(service: P4RuntimeService) -> None:
    async for message in service.read(b"", Mock()):
        raise AssertionError(message)


@pytest.mark.requirement("12.1-1", "13.4-2")
async def test_a_write_waits_for_one_read_however_many_there_are() -> None:
    """Other calls wait for none, though a part of a Read takes long."""
    device, ready, begun, done = Mock(), threading.Event(), asyncio.Event(), list[str]()
    service = P4RuntimeService(device)

    def found(request: bytes) -> _Found:
        done.append("read")
        begun.set()
        return _Found(ready)

    device.read.side_effect = found
    device.write.side_effect = lambda request: done.append("write") or _Written(1)
    device.finish.return_value = None
    reads = [asyncio.create_task(_read(service)) for _ in range(20)]
    await begun.wait()
    write = asyncio.create_task(service.write(b"", Mock()))
    assert await service.capabilities(b"", Mock())
    assert done == ["read"]
    ready.set()
    await asyncio.gather(write, *reads)
    assert done == ["read", "write", *["read"] * 19]


@pytest.mark.requirement("12.1-1", "13.4-1")
async def test_a_long_write_delays_no_call_that_need_not_wait_for_it() -> None:
    """Who asked for it may go: it is completed before another Write or a Read begins."""
    device, ready, done = Mock(), threading.Event(), list[str]()
    service = P4RuntimeService(device)
    writes = iter([_Written(5, ready), _Written(1)])
    device.write.side_effect = lambda request: next(writes)
    device.finish.side_effect = lambda written: done.append("write")
    device.read.side_effect = lambda request: done.append("read") or _Found(ready)
    first = asyncio.create_task(service.write(b"", Mock()))
    read = asyncio.create_task(_read(service))
    second = asyncio.create_task(service.write(b"", Mock()))
    await asyncio.sleep(0)
    assert await service.capabilities(b"", Mock())
    first.cancel()
    assert await service.capabilities(b"", Mock())
    assert done == []
    ready.set()
    await asyncio.wait([first])
    await asyncio.gather(read, second)
    assert first.cancelled()
    assert done[0] == "write"
    assert sorted(done[1:]) == ["read", "write"]


async def test_a_program_that_takes_long_to_compile_delays_no_call_and_no_end() -> None:
    device, ready, compiling = Mock(), threading.Event(), asyncio.Event()
    service, loop = P4RuntimeService(device), asyncio.get_running_loop()

    def compile_program() -> None:
        assert threading.current_thread().daemon
        loop.call_soon_threadsafe(compiling.set)
        assert ready.wait(PATIENCE_S)

    device.config_change.return_value = compile_program
    device.write.return_value = _Written(1)
    device.finish.return_value = None
    push = asyncio.create_task(service.set_config(b"", Mock()))
    await compiling.wait()
    assert await service.capabilities(b"", Mock())
    write = asyncio.create_task(service.write(b"", Mock()))
    push.cancel()
    assert await service.capabilities(b"", Mock())
    assert not write.done()
    assert not device.adopt_program.called
    ready.set()
    assert await write == b""
    assert device.adopt_program.called


async def _mark(controller: Controller, entities: Entities, number: int) -> None:
    """Writes a number to each cell of a register, each in an update of its own."""
    value = bytes([number])
    await controller.modify(*(entities.cell("marks", index, value) for index in range(4)))


async def _marks(controller: Controller, entities: Entities, repeated: int = 1) -> set[bytes]:
    """The numbers that one Read finds in the cells."""
    read = await controller.read(*[entities.cell("marks")] * repeated)
    return {entity.register_entry.data.bitstring for entity in read}

"""Write in the three atomicity modes (P4Runtime 1.5, section 12.2)."""

import threading
from typing import TYPE_CHECKING, TypeAlias

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.runtime.local import Local
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, batch_errors
from .entities import Entities, exact, ternary

ROLLBACK = p4r.WriteRequest.ROLLBACK_ON_ERROR
ATOMIC = p4r.WriteRequest.DATAPLANE_ATOMIC
MODES = pytest.mark.parametrize("mode", [ROLLBACK, ATOMIC], ids=["rollback", "data plane"])

if TYPE_CHECKING:
    Mode: TypeAlias = p4r.WriteRequest.Atomicity.ValueType


@MODES
@pytest.mark.requirement("12.2-2", "12.2-3")
async def test_a_batch_without_error_is_applied(
    primary: Controller, entities: Entities, mode: "Mode"
) -> None:
    written = [entities.entry("stations", [exact(1, i)], "forward", i) for i in range(3)]
    await primary.write(*(_insert(entity) for entity in written), atomicity=mode)
    assert await primary.read(entities.entry("stations")) == written


@MODES
@pytest.mark.requirement("12.2-2", "12.2-3")
async def test_the_first_error_undoes_every_kind_of_update(
    primary: Controller, entities: Entities, mode: "Mode"
) -> None:
    kept = entities.entry("stations", [exact(1, 1)], "forward", 1)
    kept.table_entry.metadata = b"ours"
    acl = entities.entry("acl", [ternary(1, 1, 1)], "drop", priority=1)
    acl.table_entry.counter_data.packet_count = 5
    await primary.insert(kept, acl)
    await primary.modify(entities.cell("balances", 2, b"\xfe"), entities.default("keyless"))
    before = await _everything(primary)
    counted = p4r.DirectCounterEntry(table_entry=entities.entry("acl").table_entry)
    counted.table_entry.CopyFrom(acl.table_entry)
    counted.data.packet_count = 99
    changed = entities.entry("acl", [ternary(1, 1, 1)], "NoAction", priority=1)
    changed.table_entry.counter_data.packet_count = 6
    updates = [
        _insert(entities.entry("stations", [exact(1, 2)], "forward", 2)),
        _modify(entities.entry("stations", [exact(1, 1)], "punt", 2)),
        _modify(changed),
        _modify(p4r.Entity(direct_counter_entry=counted)),
        p4r.Update(type=p4r.Update.DELETE, entity=acl),
        _modify(entities.default("keyless", "forward", 3)),
        _modify(entities.cell("balances", data=b"\x01")),
        _modify(entities.counter("arrivals", counts=(3, 4))),
        _insert(kept),
        _insert(entities.entry("stations", [exact(1, 3)], "forward", 2)),
    ]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.write(*updates, atomicity=mode)
    codes = [code for code, _ in batch_errors(caught.value)]
    expected = [grpc.StatusCode.ABORTED] * len(updates)
    expected[8] = grpc.StatusCode.ALREADY_EXISTS
    assert codes == expected
    messages = {message for _, message in batch_errors(caught.value)}
    assert f"rolled back, because update 9 of {len(updates)} failed" in messages
    assert await _everything(primary) == before


@MODES
async def test_what_is_not_there_cannot_be_modified_or_deleted(
    primary: Controller, entities: Entities, mode: "Mode"
) -> None:
    missing = entities.entry("stations", [exact(1, 1)], "forward", 1)
    for kind in (p4r.Update.MODIFY, p4r.Update.DELETE):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await primary.write(p4r.Update(type=kind, entity=missing), atomicity=mode)
        assert [code for code, _ in batch_errors(caught.value)] == [grpc.StatusCode.NOT_FOUND]


@pytest.mark.requirement("11-1", "12.2-3")
@pytest.mark.parametrize("mode", [ATOMIC, p4r.WriteRequest.CONTINUE_ON_ERROR])
async def test_no_packet_sees_half_of_what_belongs_together(
    switch: RunningSwitch, primary: Controller, entities: Entities, mode: "Mode"
) -> None:
    """Who looks on sees both cells of an atomic batch, or an entry with its counter, or neither."""
    engine, cells = switch.engine, [("KindsIngress.marks", 0), ("KindsIngress.marks", 1)]
    entry = entities.entry("acl", [ternary(1, 1, 1)], "drop", priority=1)
    entry.table_entry.counter_data.packet_count = 5
    if mode == ATOMIC:
        seen: set[tuple[int, ...]] = {(0, 0)}
        look = lambda: seen.add(tuple(engine.registers_read(cells)))  # noqa: E731
    else:
        seen = {(5,)}
        local = Local(engine, entities.p4info)
        wanted = p4r.TableEntry(table_id=entry.table_entry.table_id)
        wanted.counter_data.SetInParent()
        look = lambda: seen.update(  # noqa: E731
            (found.table_entry.counter_data.packet_count,)
            for found in local.read(table_entry=wanted)
        )
    ended = threading.Event()

    def watch() -> None:
        while not ended.is_set():
            look()

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        for number in range(1, 40):
            if mode == ATOMIC:
                value = bytes([number])
                both = [_modify(entities.cell("marks", index, value)) for index in (0, 1)]
                await primary.write(*both, atomicity=mode)
            else:
                await primary.write(_insert(entry), atomicity=mode)
                await primary.delete(entry)
    finally:
        ended.set()
        watching.join()
    assert all(len(set(values)) == 1 for values in seen)
    assert mode == ATOMIC or seen == {(5,)}


async def test_an_unknown_mode_is_refused_as_a_whole(
    primary: Controller, entities: Entities
) -> None:
    update = _insert(entities.entry("stations", [exact(1, 1)], "forward", 1))
    unknown: Mode = 7  # type: ignore[assignment]
    with pytest.raises(grpc.aio.AioRpcError, match="DATAPLANE_ATOMIC") as caught:
        await primary.write(update, atomicity=unknown)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert await primary.read(entities.entry("stations")) == []


async def _everything(controller: Controller) -> list[p4r.Entity]:
    return await controller.read(
        p4r.Entity(table_entry=p4r.TableEntry(counter_data=p4r.CounterData())),
        p4r.Entity(table_entry=p4r.TableEntry(is_default_action=True)),
        p4r.Entity(register_entry=p4r.RegisterEntry()),
        p4r.Entity(counter_entry=p4r.CounterEntry()),
    )


def _insert(entity: p4r.Entity) -> p4r.Update:
    return p4r.Update(type=p4r.Update.INSERT, entity=entity)


def _modify(entity: p4r.Entity) -> p4r.Update:
    return p4r.Update(type=p4r.Update.MODIFY, entity=entity)

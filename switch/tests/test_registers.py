"""RegisterEntry over gRPC (P4Runtime 1.5, section 9.7), with the kinds program."""

import grpc
import pytest
from finsy.proto import p4d, p4r
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, batch_errors
from .entities import Entities


@pytest.mark.requirement("8.2-1")
async def test_a_cell_reads_back_as_written(primary: Controller, entities: Entities) -> None:
    await primary.modify(entities.cell("marks", 2, b"\x00\x0a\xbc"))
    assert await primary.read(entities.cell("marks", 2)) == [entities.cell("marks", 2, b"\x0a\xbc")]
    assert await primary.read(entities.cell("marks", 1)) == [entities.cell("marks", 1, b"\x00")]


@pytest.mark.requirement("9.7-1")
async def test_without_index_all_cells_are_written_and_read(
    primary: Controller, entities: Entities
) -> None:
    await primary.modify(entities.cell("marks", data=b"\x07"))
    expected = [entities.cell("marks", index, b"\x07") for index in range(4)]
    assert await primary.read(entities.cell("marks")) == expected


async def test_without_id_all_registers_are_read(primary: Controller, entities: Entities) -> None:
    read = await primary.read(p4r.Entity(register_entry=p4r.RegisterEntry()))
    expected = [
        entities.cell(register, index, b"\x00")
        for register in ("marks", "balances")
        for index in range(4)
    ]
    assert sorted(read, key=str) == sorted(expected, key=str)


@pytest.mark.parametrize(
    ("written", "read"),
    [(b"\xff\xff\xfe", b"\xfe"), (b"\x80\x00", b"\x80\x00"), (b"\x00\x80", b"\x00\x80")],
)
async def test_signed_registers_keep_their_sign(
    primary: Controller, entities: Entities, written: bytes, read: bytes
) -> None:
    await primary.modify(entities.cell("balances", 0, written))
    assert await primary.read(entities.cell("balances", 0)) == [entities.cell("balances", 0, read)]


@pytest.mark.requirement("11-2", "11-3")
async def test_cells_of_one_read_are_of_one_instant(
    switch: RunningSwitch, primary: Controller, entities: Entities
) -> None:
    """One packet-out writes both registers: no read may see one write without the other."""
    wanted = [entities.cell("marks", 3), entities.cell("balances", 3)]
    await primary.packet_out(b"", b"\x01", b"\x03", b"\x00")
    for _ in range(100):
        read = {entity.register_entry.data.bitstring for entity in await primary.read(*wanted)}
        assert read in ({b"\x00"}, {b"\x01", b"\xff"})
        if read != {b"\x00"}:
            return
    pytest.fail("the packet-out has not been executed")


@pytest.mark.requirement("8.3-4", "9.7-2", "9.7-3", "9.7-4")
async def test_writes_that_do_not_fit_are_refused(primary: Controller, entities: Entities) -> None:
    cases = [
        (entities.cell("marks", 4, b"\x01"), grpc.StatusCode.OUT_OF_RANGE),
        (entities.cell("marks", -1, b"\x01"), grpc.StatusCode.INVALID_ARGUMENT),
        (entities.cell("marks", 0, b"\x10\x00"), grpc.StatusCode.OUT_OF_RANGE),
        (entities.cell("marks", 0, b""), grpc.StatusCode.OUT_OF_RANGE),
        (entities.cell("balances", 0, b"\x00\x80\x00"), grpc.StatusCode.OUT_OF_RANGE),
        (entities.cell("marks", 0), grpc.StatusCode.INVALID_ARGUMENT),
        (
            p4r.Entity(
                register_entry=p4r.RegisterEntry(
                    register_id=entities.id("marks"), data=p4d.P4Data(bool=True)
                )
            ),
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
        (
            p4r.Entity(register_entry=p4r.RegisterEntry(register_id=1)),
            grpc.StatusCode.INVALID_ARGUMENT,
        ),
    ]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.modify(*(entity for entity, _ in cases))
    assert [code for code, _ in batch_errors(caught.value)] == [code for _, code in cases]
    _, errors = await primary.read_partly(*(entity for entity, _ in cases[:2]))
    assert [code for code, _ in errors] == [code for _, code in cases[:2]]
    everything = await primary.read(p4r.Entity(register_entry=p4r.RegisterEntry()))
    assert {entity.register_entry.data.bitstring for entity in everything} == {b"\x00"}


async def test_registers_are_only_modified(primary: Controller, entities: Entities) -> None:
    entity = entities.cell("marks", 0, b"\x01")
    for call in (primary.insert, primary.delete):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(entity)
        ((code, _),) = batch_errors(caught.value)
        assert code is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_read_of_all_registers_has_no_index(primary: Controller) -> None:
    entity = p4r.Entity(register_entry=p4r.RegisterEntry(index=p4r.Index(index=1)))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await primary.read(entity)
    ((code, _),) = batch_errors(caught.value)
    assert code is grpc.StatusCode.INVALID_ARGUMENT

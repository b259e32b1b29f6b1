"""The register path of targets that serve RegisterEntry (P4Runtime specification, section 9.7)."""

import asyncio
from dataclasses import replace

import grpc
from finsy.p4values import encode_exact
from finsy.proto import p4d, p4r

from p4abs.access.connection import Connection
from p4abs.access.program import SNAPSHOT_REGISTERS, Program
from p4abs.access.register_access import ExchangeTimeout, drain_rate
from p4abs.access.rpc_error import RpcError
from p4abs.snapshot import Snapshot

EXCHANGE_TIMEOUT_S = 0.5


class RegisterEntryAccess:
    """One read request covers all registers of a port, so that they can be of one instant.

    A snapshot's time is that of the last departure, when `departed_bytes` was exact.
    """

    path = "RegisterEntry"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._connection = connection
        self._ids = program.register_ids()
        self._requests: dict[int, list[p4r.Entity]] = {}

    async def exchange(self, port: int, limit_bytes: int | None) -> Snapshot:
        """See RegisterAccess; at most one write request and one read request, both at once."""
        if limit_bytes is None:
            return await self._read(port)
        writing = asyncio.create_task(self._write(port, "queue_limit_bytes", limit_bytes))
        try:
            snapshot = await self._read(port)
        finally:
            # Also when cancelled: a write that came late would undo what is written next.
            await writing
        return replace(snapshot, limit_bytes=limit_bytes)

    async def set_drain_rate(self, port: int, rate_bps: int) -> None:
        """See RegisterAccess."""
        await self._write(port, "drain_rate", drain_rate(rate_bps))

    async def _read(self, port: int) -> Snapshot:
        try:
            entities = await self._connection.read(self._request(port), EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise _timeout_or(error, port) from None
        values = {
            entity.register_entry.register_id: entity.register_entry.data.bitstring
            for entity in entities
        }
        try:
            return Snapshot(
                *(int.from_bytes(values[self._ids[name]], "big") for name in SNAPSHOT_REGISTERS)
            )
        except KeyError:
            raise RpcError(
                "read", grpc.StatusCode.DATA_LOSS, f"registers of port {port} missing in the answer"
            ) from None

    async def _write(self, port: int, register: str, value: int) -> None:
        entity = register_entity(self._ids[register], port)
        entity.register_entry.data.CopyFrom(p4d.P4Data(bitstring=bitstring(value)))
        update = p4r.Update(type=p4r.Update.MODIFY, entity=entity)
        try:
            await self._connection.write([update], EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise _timeout_or(error, port) from None

    def _request(self, port: int) -> list[p4r.Entity]:
        if port not in self._requests:
            self._requests[port] = [
                register_entity(self._ids[name], port) for name in SNAPSHOT_REGISTERS
            ]
        return self._requests[port]


def register_entity(register_id: int, index: int) -> p4r.Entity:
    """One element of a register, as reads and writes name it."""
    entry = p4r.RegisterEntry(register_id=register_id, index=p4r.Index(index=index))
    return p4r.Entity(register_entry=entry)


def bitstring(value: int) -> bytes:
    """The canonical form of a number of at most 64 bits (P4Runtime specification, section 8.3)."""
    return encode_exact(value, 64)


def _timeout_or(error: RpcError, port: int) -> RpcError | ExchangeTimeout:
    if error.code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return ExchangeTimeout(f"port {port}: no answer within {EXCHANGE_TIMEOUT_S} s")
    return error

"""The register path of targets that serve RegisterEntry (P4Runtime specification, section 9.7)."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import grpc
from finsy.p4values import encode_exact
from finsy.proto import p4d, p4r

from p4abs.access.backlog_windows import WINDOW_MODULUS, BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.program import EXTREMES_REGISTERS, UNSATURATED_REGISTERS, Program
from p4abs.access.register_access import ExchangeTimeout, drain_rate
from p4abs.access.rpc_error import RpcError
from p4abs.snapshot import COUNTER_MODULUS, Snapshot

EXCHANGE_TIMEOUT_S = 0.5

_WRITTEN_ONLY = ("drain_rate", "ecn_marking")


class RegisterEntryAccess:
    """One read request covers all registers of a port, so that they can be of one instant.

    A snapshot's time is that of the last departure, when `departed_bytes` was exact, or that of
    the last packet that found the queue empty: until then the unsaturated time is counted.
    """

    path = "RegisterEntry"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._connection = connection
        self._ids = program.register_ids()
        self._read_ids = {n: i for n, i in self._ids.items() if n not in _WRITTEN_ONLY}
        self._requests: dict[int, list[p4r.Entity]] = {}
        self._has_extremes = self._ids.keys() >= set(EXTREMES_REGISTERS)
        self._has_unsaturated = self._ids.keys() >= set(UNSATURATED_REGISTERS)
        self._windows = BacklogWindows()
        self._last_window: dict[int, int] = {}

    async def exchange(self, port: int, limit_bytes: int | None) -> Snapshot:
        """See RegisterAccess; at most one write request and one read request, both at once."""
        written = {} if limit_bytes is None else {"queue_limit_bytes": limit_bytes}
        window = self._next_window(port)
        if window is not None:
            written["backlog_window"] = window
        if not written:
            return self._snapshot(port, await self._read(port), window)
        writing = asyncio.create_task(self._write(port, written))
        try:
            values = await self._read(port)
        finally:
            # Also when cancelled: a write that came late would undo what is written next.
            await writing
        return self._snapshot(port, values | written, window)

    async def set_drain_rate(self, port: int, rate_bps: int) -> None:
        """See RegisterAccess."""
        await self._write(port, {"drain_rate": drain_rate(rate_bps)})

    async def set_ecn_marking(self, port: int, on: bool) -> None:
        """See RegisterAccess."""
        if "ecn_marking" in self._ids:
            await self._write(port, {"ecn_marking": int(on)})

    def _next_window(self, port: int) -> int | None:
        """A number that no window has had, once the port's first read has told the last one."""
        if port not in self._last_window:
            return None
        self._last_window[port] = (self._last_window[port] + 1) % WINDOW_MODULUS
        return self._last_window[port]

    def _snapshot(self, port: int, values: Mapping[str, int], window: int | None) -> Snapshot:
        snapshot = Snapshot(
            max(values["departed_at_us"], values.get("busy_since_us", 0)),
            values["admitted_bytes"],
            values["dropped_bytes"],
            values["departed_bytes"],
            values["queue_limit_bytes"],
            marked_bytes=values.get("marked_bytes"),
        )
        if self._has_unsaturated:
            counted_us = values["unsaturated_us"] + values["unsaturated_wait_us"]
            snapshot = replace(
                snapshot,
                unsaturated_us=counted_us % COUNTER_MODULUS,
                unsaturated_bytes=values["unsaturated_bytes"],
            )
        if self._has_extremes and self._is_of_the_interval(port, values, window):
            snapshot = replace(
                snapshot,
                least_backlog_bytes=values["least_backlog_bytes"],
                greatest_backlog_bytes=values["greatest_backlog_bytes"],
            )
        return snapshot

    def _is_of_the_interval(self, port: int, values: Mapping[str, int], window: int | None) -> bool:
        """Whether the extremes are those since the port's last received snapshot."""
        if window is None:
            self._last_window[port] = values["backlog_window"]
            return False
        return self._windows.received(port, values["measured_window"], window)

    async def _read(self, port: int) -> dict[str, int]:
        try:
            entities = await self._connection.read(self._request(port), EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise _timeout_or(error, port) from None
        values = {
            entity.register_entry.register_id: entity.register_entry.data.bitstring
            for entity in entities
        }
        try:
            return {
                name: int.from_bytes(values[number], "big")
                for name, number in self._read_ids.items()
            }
        except KeyError:
            raise RpcError(
                "read", grpc.StatusCode.DATA_LOSS, f"registers of port {port} missing in the answer"
            ) from None

    async def _write(self, port: int, values: Mapping[str, int]) -> None:
        updates = [self._update(port, name, value) for name, value in values.items()]
        try:
            await self._connection.write(updates, EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise _timeout_or(error, port) from None

    def _update(self, port: int, register: str, value: int) -> p4r.Update:
        entity = register_entity(self._ids[register], port)
        entity.register_entry.data.CopyFrom(p4d.P4Data(bitstring=bitstring(value)))
        return p4r.Update(type=p4r.Update.MODIFY, entity=entity)

    def _request(self, port: int) -> list[p4r.Entity]:
        if port not in self._requests:
            self._requests[port] = [
                register_entity(number, port) for number in self._read_ids.values()
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

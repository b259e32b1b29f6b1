"""The register path of targets that serve RegisterEntry (P4Runtime specification, section 9.7)."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from finsy.p4values import encode_exact
from finsy.proto import p4d, p4r

from p4abs.access.backlog_windows import WINDOW_MODULUS, BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.program import EXTREMES_REGISTERS, Program
from p4abs.access.register_access import drain_rate
from p4abs.access.register_reader import (
    EXCHANGE_TIMEOUT_S,
    RegisterReader,
    register_entity,
    snapshot_of,
    timeout_or,
)
from p4abs.access.rpc_error import RpcError
from p4abs.snapshot import Snapshot

_WRITTEN_ONLY = ("drain_rate", "ecn_marking")


class RegisterEntryAccess:
    """An exchange is at most one write and one read, both under way at once; see snapshot_of."""

    path = "RegisterEntry"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._connection = connection
        self._ids = program.register_ids()
        self._reader = RegisterReader(connection, program, left_out=_WRITTEN_ONLY)
        self._has_extremes = self._ids.keys() >= set(EXTREMES_REGISTERS)
        self._windows = BacklogWindows()
        self._last_window: dict[int, int] = {}

    async def exchange(self, port: int, limit_bytes: int | None) -> Snapshot:
        """See RegisterAccess; at most one write request and one read request, both at once."""
        written = {} if limit_bytes is None else {"queue_limit_bytes": limit_bytes}
        window = self._next_window(port)
        if window is not None:
            written["backlog_window"] = window
        if not written:
            return self._snapshot(port, await self._reader.read(port), window)
        writing = asyncio.create_task(self._write(port, written))
        try:
            values = await self._reader.read(port)
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
        snapshot = snapshot_of(values)
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

    async def _write(self, port: int, values: Mapping[str, int]) -> None:
        updates = [self._update(port, name, value) for name, value in values.items()]
        try:
            await self._connection.write(updates, EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise timeout_or(error, port) from None

    def _update(self, port: int, register: str, value: int) -> p4r.Update:
        entity = register_entity(self._ids[register], port)
        entity.register_entry.data.CopyFrom(p4d.P4Data(bitstring=bitstring(value)))
        return p4r.Update(type=p4r.Update.MODIFY, entity=entity)


def bitstring(value: int) -> bytes:
    """The canonical form of a number of at most 64 bits (P4Runtime specification, section 8.3)."""
    return encode_exact(value, 64)

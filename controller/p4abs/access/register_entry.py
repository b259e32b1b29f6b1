"""The register path of targets that serve RegisterEntry (P4Runtime specification, section 9.7)."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace

from finsy.p4values import encode_exact
from finsy.proto import p4r

from p4abs.access.backlog_windows import WINDOW_MODULUS, WINDOW_REGISTERS, BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.program import Program
from p4abs.access.register_access import ExchangeTimeout, Snapshots, drain_rate
from p4abs.access.register_reader import (
    EXCHANGE_TIMEOUT_S,
    RegisterReader,
    refused_ports,
    register_entity,
    snapshot_of,
    timeout_or,
)
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.errors import P4absError
from p4abs.measurements import EXTREMES, Snapshot

_WRITTEN_ONLY = ("drain_rate", "ecn_marking")

# Values of registers, by port and the register's name.
_ByPort = dict[int, dict[str, int]]
_Refused = dict[int, PortRefused]


class RegisterEntryAccess:
    """An exchange is at most one write and one read, both under way at once; see snapshot_of."""

    path = "RegisterEntry"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._connection = connection
        self._ids = program.register_ids()
        self._reader = RegisterReader(connection, program, left_out=_WRITTEN_ONLY)
        self._updates: dict[tuple[int, str], p4r.Update] = {}
        self._has_extremes = self._ids.keys() >= {
            *WINDOW_REGISTERS,
            *(each.field for each in EXTREMES),
        }
        self._windows = BacklogWindows()
        self._last_window: dict[int, int] = {}

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; at most one write request and one read request, both at once."""
        written = self._to_write(ports, limits)
        try:
            values, refused = await self._write_and_read(ports, written)
        except ExchangeTimeout as late:
            return Snapshots({}, dict.fromkeys(ports, late))
        taken = {
            port: self._snapshot(port, registers, written.get(port, {}))
            for port, registers in values.items()
            if port not in refused
        }
        return Snapshots(taken, {**refused})

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        """See RegisterAccess."""
        written: _ByPort = {
            port: {"drain_rate": drain_rate(rate_bps)} for port, rate_bps in drain_rates_bps.items()
        }
        if "ecn_marking" in self._ids:
            for port, on in ecn_marking.items():
                written.setdefault(port, {})["ecn_marking"] = int(on)
        return {**await self._write(written)}

    def _to_write(self, ports: Sequence[int], limits: Mapping[int, int]) -> _ByPort:
        """The limits, and a number that no window has had for ports whose last one is known."""
        written: _ByPort = {port: {"queue_limit_bytes": limits[port]} for port in limits}
        for port in ports:
            if port in self._last_window:
                self._last_window[port] = (self._last_window[port] + 1) % WINDOW_MODULUS
                written.setdefault(port, {})["backlog_window"] = self._last_window[port]
        return written

    async def _write_and_read(
        self, ports: Sequence[int], written: _ByPort
    ) -> tuple[_ByPort, _Refused]:
        if not written:
            return await self._reader.read(ports)
        writing = asyncio.create_task(self._write(written))
        try:
            values, refused = await self._reader.read(ports)
        finally:
            # Also when cancelled: a write that came late would undo what is written next. Its error
            # must not take the place of the cancellation.
            await asyncio.wait([writing])
            writing.exception()
        return values, refused | writing.result()

    def _snapshot(self, port: int, read: Mapping[str, int], written: Mapping[str, int]) -> Snapshot:
        snapshot = snapshot_of({**read, **written})
        if self._has_extremes and self._is_of_the_interval(port, read, written):
            return replace(snapshot, **{each.name: read[each.field] for each in EXTREMES})
        return snapshot

    def _is_of_the_interval(
        self, port: int, read: Mapping[str, int], written: Mapping[str, int]
    ) -> bool:
        """Whether the extremes are those since the port's last received snapshot."""
        if "backlog_window" not in written:
            self._last_window[port] = read["backlog_window"]
            return False
        return self._windows.received(port, read["measured_window"], written["backlog_window"])

    async def _write(self, written: _ByPort) -> _Refused:
        updates = [
            self._update(port, name, value)
            for port, values in written.items()
            for name, value in values.items()
        ]
        try:
            failures = await self._connection.write_partly(updates, EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise timeout_or(error) from None
        return refused_ports([port for port, values in written.items() for _ in values], failures)

    def _update(self, port: int, register: str, value: int) -> p4r.Update:
        """Holds until the next one of the same register and port."""
        if (port, register) not in self._updates:
            entity = register_entity(self._ids[register], port)
            self._updates[port, register] = p4r.Update(type=p4r.Update.MODIFY, entity=entity)
        update = self._updates[port, register]
        update.entity.register_entry.data.bitstring = bitstring(value)
        return update


def bitstring(value: int) -> bytes:
    """The canonical form of a number of at most 64 bits (P4Runtime specification, section 8.3)."""
    return encode_exact(value, 64)

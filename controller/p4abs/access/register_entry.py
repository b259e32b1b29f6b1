"""The register path of targets that serve RegisterEntry (P4Runtime specification, section 9.7)."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from finsy.proto import p4d, p4r

from p4abs.access.backlog_windows import WINDOW_MODULUS, WINDOW_REGISTERS, BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.program import Program
from p4abs.access.register_access import ExchangeTimeout, Snapshots, drain_rate
from p4abs.access.register_cells import bitstring, register_entity
from p4abs.access.register_reader import (
    EXCHANGE_TIMEOUT_S,
    RegisterReader,
    Registers,
    refused_ports,
    timeout_or,
)
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.columns import Flags
from p4abs.errors import P4absError
from p4abs.measurements import EXTREMES

_WRITTEN_ONLY = ("drain_rate", "ecn_marking")

_Refused = dict[int, PortRefused]


class _Written(NamedTuple):
    """A value for a register of a port."""

    port: int
    register: str
    value: int


class RegisterEntryAccess:
    """An exchange is at most one write and one read, both under way at once; see Registers."""

    path = "RegisterEntry"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._connection = connection
        self._ids = program.register_ids()
        self._reader = RegisterReader(connection, program, left_out=_WRITTEN_ONLY)
        self._updates: dict[tuple[int, str], tuple[p4r.Update, p4d.P4Data]] = {}
        self._has_extremes = self._ids.keys() >= {
            *WINDOW_REGISTERS,
            *(each.field for each in EXTREMES),
        }
        self._windows = BacklogWindows()
        self._last_window: dict[int, int] = {}

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; at most one write request and one read request, both at once."""
        begun = self._windows_to_begin(ports)
        written = [_Written(port, "queue_limit_bytes", limits[port]) for port in limits]
        written += [_Written(port, "backlog_window", begun[port]) for port in begun]
        try:
            registers, refused = await self._write_and_read(ports, written)
        except ExchangeTimeout as late:
            return Snapshots({}, dict.fromkeys(ports, late))
        if refused.keys() & {*registers.ports}:
            registers = registers.without(refused)
        covered = self._covered(registers, begun) if self._has_extremes else False
        return Snapshots(
            registers.having("queue_limit_bytes", limits).snapshots(covered), {**refused}
        )

    async def configure(
        self,
        drain_rates_bps: Mapping[int, int],
        ecn_marking: Mapping[int, bool],
        mtu_bytes: Mapping[int, int] = {},
    ) -> dict[int, P4absError]:
        written = [
            _Written(port, "drain_rate", drain_rate(rate_bps))
            for port, rate_bps in drain_rates_bps.items()
        ]
        if "ecn_marking" in self._ids:
            written += [_Written(port, "ecn_marking", int(on)) for port, on in ecn_marking.items()]
        return {**await self._write(written)}

    def _windows_to_begin(self, ports: Sequence[int]) -> dict[int, int]:
        """For ports whose last window is known: a number that no window has had."""
        begun = {
            port: (self._last_window[port] + 1) % WINDOW_MODULUS
            for port in ports
            if port in self._last_window
        }
        self._last_window |= begun
        return begun

    async def _write_and_read(
        self, ports: Sequence[int], written: Sequence[_Written]
    ) -> tuple[Registers, _Refused]:
        if not written:
            return await self._reader.read(ports)
        writing = asyncio.create_task(self._write(written))
        try:
            registers, refused = await self._reader.read(ports)
        finally:
            # Waits for the write also when cancelled: a late write would undo the next one. The
            # write's error must not replace the cancellation.
            await asyncio.wait([writing])
            writing.exception()
        return registers, refused | writing.result()

    def _covered(self, registers: Registers, begun: Mapping[int, int]) -> Flags:
        """Whether the extremes are those since each port's last received snapshot."""
        windows = zip(
            registers.ports,
            registers.values["backlog_window"].tolist(),
            registers.values["measured_window"].tolist(),
            strict=True,
        )
        covered = []
        for port, last, measured in windows:
            if port in begun:
                covered.append(self._windows.received(port, measured, begun[port]))
            else:
                self._last_window[port] = last
                covered.append(False)
        return covered

    async def _write(self, written: Sequence[_Written]) -> _Refused:
        updates = [self._update(each) for each in written]
        try:
            failures = await self._connection.write_partly(updates, EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise timeout_or(error) from None
        return refused_ports([each.port for each in written], failures)

    def _update(self, written: _Written) -> p4r.Update:
        """Holds until the next one of the same register and port."""
        port, register, value = written
        if (port, register) not in self._updates:
            entity = register_entity(self._ids[register], port)
            update = p4r.Update(type=p4r.Update.MODIFY, entity=entity)
            self._updates[port, register] = update, update.entity.register_entry.data
        update, data = self._updates[port, register]
        data.bitstring = bitstring(value)
        return update

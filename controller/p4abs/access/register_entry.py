"""The register path of targets that serve RegisterEntry (P4Runtime specification, section 9.7)."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence

from p4abs.access.backlog_windows import WINDOW_MODULUS, WINDOW_REGISTERS, BacklogWindows
from p4abs.access.connection import Connection
from p4abs.access.program import Program
from p4abs.access.register_access import ExchangeTimeout, Snapshots, drain_rate
from p4abs.access.register_cells import bitstring, update_head
from p4abs.access.register_reader import (
    EXCHANGE_TIMEOUT_S,
    RegisterReader,
    Registers,
    timeout_or,
)
from p4abs.access.rpc_error import PortRefused, RpcError, refused_ports
from p4abs.columns import Flags
from p4abs.errors import P4absError
from p4abs.measurements import EXTREMES

_WRITTEN_ONLY = ("drain_rate", "ecn_marking")

_Refused = dict[int, PortRefused]
_Written = Mapping[str, Mapping[int, int]]
"""Values by registers and ports."""


class RegisterEntryAccess:
    """An exchange is at most one write and one read, both under way at once; see Registers."""

    path = "RegisterEntry"

    def __init__(self, connection: Connection, program: Program) -> None:
        self._connection = connection
        self._ids = program.register_ids()
        self._reader = RegisterReader(connection, program, left_out=_WRITTEN_ONLY)
        # Of updates, by registers, then by ports and how many bytes the values have.
        self._heads: dict[str, dict[tuple[int, int], bytes]] = defaultdict(dict)
        self._has_extremes = self._ids.keys() >= {
            *WINDOW_REGISTERS,
            *(each.field for each in EXTREMES),
        }
        self._windows = BacklogWindows()
        self._last_window: dict[int, int] = {}

    async def exchange(self, ports: Sequence[int], limits: Mapping[int, int]) -> Snapshots:
        """See RegisterAccess; at most one write request and one read request, both at once."""
        begun = self._windows_to_begin(ports)
        written = {"queue_limit_bytes": limits, "backlog_window": begun}
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
        rates = {port: drain_rate(rate_bps) for port, rate_bps in drain_rates_bps.items()}
        written: dict[str, Mapping[int, int]] = {"drain_rate": rates}
        if "ecn_marking" in self._ids:
            written["ecn_marking"] = ecn_marking
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
        self, ports: Sequence[int], written: _Written
    ) -> tuple[Registers, _Refused]:
        if not any(written.values()):
            return await self._reader.read(ports)
        writing = asyncio.create_task(self._write_behind_read(written))
        try:
            registers, refused = await self._reader.read(ports)
        finally:
            # Waits for the write also when cancelled: a late write would undo the next one. The
            # write's error must not replace the cancellation.
            await asyncio.wait([writing])
            writing.exception()
        return registers, refused | writing.result()

    def _covered(self, registers: Registers, begun: Mapping[int, int]) -> Flags:
        """Whether the extremes are those since the write behind each port's last snapshot."""
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

    async def _write_behind_read(self, written: _Written) -> _Refused:
        """Prepares the write while the switch serves the read.

        A write that came first would begin windows before their extremes are read.
        """
        await asyncio.sleep(0)
        return await self._write(written)

    async def _write(self, written: _Written) -> _Refused:
        updates = b"".join([self._updates(*each) for each in written.items()])
        try:
            failures = await self._connection.write_prepared(updates, EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise timeout_or(error) from None
        return refused_ports([port for values in written.values() for port in values], failures)

    def _updates(self, register: str, values: Mapping[int, int]) -> bytes:
        """As Write has them, of a register of ports. Most of it is as it was the last time."""
        heads = self._heads[register]
        parts: list[bytes] = []
        for port, value in values.items():
            data = bitstring(value)
            size = len(data)
            if (port, size) not in heads:
                heads[port, size] = update_head((self._ids[register], port), size)
            parts += heads[port, size], data
        return b"".join(parts)

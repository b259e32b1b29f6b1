"""Reads of RegisterEntry (P4Runtime specification, section 9.7)."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

import grpc
import numpy as np

from p4abs.access.program import Program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.register_cells import Cell, Cells, Values, parsed
from p4abs.access.rpc_error import PortRefused, RpcError, refused_ports
from p4abs.columns import Flags
from p4abs.measurements import MEASUREMENTS, Kind
from p4abs.p4_constants import PORT_COUNT
from p4abs.snapshots import SnapshotsByPort, snapshots_of

EXCHANGE_TIMEOUT_S = 0.5

# With fewer cells than this, reading them one by one is faster than numpy.
_IN_ARRAYS_FROM = 64

_MISSING = RpcError("read", grpc.StatusCode.DATA_LOSS, "registers are missing in the answer")


@dataclass(frozen=True)
class Registers:
    """What ports' registers hold: arrays of a value for each port, by the registers' names."""

    ports: list[int]
    values: Mapping[str, Values]

    def without(self, ports: Container[int]) -> "Registers":
        left = [position for position, port in enumerate(self.ports) if port not in ports]
        values = {name: column[left] for name, column in self.values.items()}
        return Registers([self.ports[position] for position in left], values)

    def having(self, register: str, written: Mapping[int, int]) -> "Registers":
        """With what has been written meanwhile, by port."""
        read = zip(self.ports, self.values[register].tolist(), strict=True)
        now = np.array([written.get(port, value) for port, value in read], np.uint64)
        return Registers(self.ports, {**self.values, register: now})

    def by_port(self) -> dict[int, dict[str, int]]:
        """Numbers by port and the register's name."""
        rows = zip(*(column.tolist() for column in self.values.values()), strict=True)
        return {
            port: dict(zip(self.values, row, strict=True))
            for port, row in zip(self.ports, rows, strict=True)
        }

    def snapshots(self, covered: Flags = False) -> SnapshotsByPort:
        """Those of the ports; they have the extremes of their backlog where `covered` says so.

        Their time is that of the last departure, when `departed_bytes` was exact, or that of the
        last packet that found the queue empty: until then the unsaturated time is counted. Of a
        queue that waits behind others of its port it is that of the port's last departure.
        """
        told = {}
        for each in MEASUREMENTS:
            columns = [self.values[name] for name in each.registers if name in self.values]
            if each.kind is Kind.TIME:
                told[each.name] = self._of_ports(reduce(np.maximum, columns))
            elif len(columns) == len(each.registers):
                told[each.name] = reduce(np.add, columns)
        return snapshots_of(self.ports, told, covered)

    def _of_ports(self, times_us: Values) -> Values:
        """The times, of queues in which something waits the latest of their ports.

        Such a queue is saturated until its next departure, which is later than all of these.
        """
        if max(self.ports, default=0) < PORT_COUNT:  # queues 0 only
            return times_us
        ports = np.array(self.ports) % PORT_COUNT
        latest_us = np.zeros(PORT_COUNT, np.uint64)
        np.maximum.at(latest_us, ports, times_us)
        waits = self.values["admitted_bytes"] != self.values["departed_bytes"]
        return np.where(waits, latest_us[ports], times_us)


class RegisterReader:
    """One read request covers all registers of all ports, so that they can be of one instant."""

    def __init__(
        self,
        connection: ReadOnlyConnection,
        program: Program,
        left_out: Container[str] = (),
    ) -> None:
        self._connection = connection
        self._ids = {n: i for n, i in program.register_ids().items() if n not in left_out}
        self._ports: list[int] = []
        self._cells = Cells([])
        self._request = b""

    async def read(self, ports: Sequence[int]) -> tuple[Registers, dict[int, PortRefused]]:
        """All registers of each port, or why there are none.

        Raises RpcError and ExchangeTimeout if no port can be read.
        """
        self._prepare([*ports])
        try:
            answer, failures = await self._connection.read_partly(self._request, EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise timeout_or(error) from None
        is_long = len(self._ports) * len(self._ids) >= _IN_ARRAYS_FROM
        values = self._cells.values(answer) if is_long else None
        if values is not None:
            return self._registers(self._ports, values), {}
        found = parsed(answer)
        whole = [port for port in ports if found.keys() >= {*self._cells_of([port])}]
        refused = refused_ports([port for port in ports for _ in self._ids], failures)
        missing = {port: PortRefused(port, _MISSING) for port in ports if port not in whole}
        values = np.array([found[cell] for cell in self._cells_of(whole)], np.uint64)
        return self._registers(whole, values), missing | refused

    def _prepare(self, ports: list[int]) -> None:
        """The request is made once for as long as the ports are the same."""
        if ports != self._ports:
            self._ports = ports
            self._cells = Cells(self._cells_of(ports))
            self._request = self._connection.read_request(self._cells.entities)

    def _cells_of(self, ports: Sequence[int]) -> list[Cell]:
        return [(number, port) for port in ports for number in self._ids.values()]

    def _registers(self, ports: list[int], values: Values) -> Registers:
        columns = values.reshape(len(ports), len(self._ids)).T
        return Registers(ports, dict(zip(self._ids, columns, strict=True)))


def timeout_or(error: RpcError) -> RpcError | ExchangeTimeout:
    """A failed exchange. A timeout is no refusal."""
    if error.code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return ExchangeTimeout(f"no answer within {EXCHANGE_TIMEOUT_S} s")
    return error

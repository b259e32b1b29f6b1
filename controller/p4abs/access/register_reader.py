"""Reads of RegisterEntry (P4Runtime specification, section 9.7)."""

from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain

import grpc
from finsy.proto import p4r

from p4abs.access.program import Program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.measurements import COUNTER_MODULUS, MEASUREMENTS, Kind, Measurement, Snapshot

EXCHANGE_TIMEOUT_S = 0.5

_MISSING = RpcError("read", grpc.StatusCode.DATA_LOSS, "registers are missing in the answer")


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
        self._requests: dict[int, list[p4r.Entity]] = {}

    async def read(
        self, ports: Iterable[int]
    ) -> tuple[dict[int, dict[str, int]], dict[int, PortRefused]]:
        """All registers of each port by name, or why they are not to be had.

        Raises RpcError and ExchangeTimeout when that concerns all of them.
        """
        requests = {port: self._requests_for(port) for port in ports}
        try:
            found, failures = await self._connection.read_partly(
                [*chain.from_iterable(requests.values())], EXCHANGE_TIMEOUT_S
            )
        except RpcError as error:
            raise timeout_or(error) from None
        refused = refused_ports([port for port in requests for _ in self._ids], failures)
        cells = {}
        for entity in found:
            entry = entity.register_entry
            cells[entry.register_id, entry.index.index] = entry.data.bitstring
        values: dict[int, dict[str, int]] = {}
        for port in requests:
            try:
                values[port] = {
                    name: int.from_bytes(cells[number, port], "big")
                    for name, number in self._ids.items()
                }
            except KeyError:
                refused.setdefault(port, PortRefused(port, _MISSING))
        return values, refused

    def _requests_for(self, port: int) -> list[p4r.Entity]:
        if port not in self._requests:
            self._requests[port] = [register_entity(number, port) for number in self._ids.values()]
        return self._requests[port]


def refused_ports(ports: Sequence[int], failures: Mapping[int, RpcError]) -> dict[int, PortRefused]:
    """The first failure of each port; `ports` says whose each position of the batch is."""
    refused: dict[int, PortRefused] = {}
    for position, port in enumerate(ports):
        if position in failures:
            refused.setdefault(port, PortRefused(port, failures[position]))
    return refused


def snapshot_of(values: Mapping[str, int]) -> Snapshot:
    """A port's registers as a snapshot, without the extremes of the backlog.

    Its time is that of the last departure, when `departed_bytes` was exact, or that of the last
    packet that found the queue empty: until then the unsaturated time is counted.
    """
    return Snapshot(
        **{each.name: _told(each, values) for each in MEASUREMENTS if each.kind is not Kind.EXTREME}
    )


def _told(measurement: Measurement, values: Mapping[str, int]) -> int | None:
    """What its registers tell together; None: the program does not have all of them."""
    told = [values[name] for name in measurement.registers if name in values]
    if measurement.kind is Kind.TIME:
        return max(told)
    if len(told) < len(measurement.registers):
        return None
    return sum(told) % COUNTER_MODULUS


def register_entity(register_id: int, index: int) -> p4r.Entity:
    """One element of a register, as reads and writes name it."""
    entry = p4r.RegisterEntry(register_id=register_id, index=p4r.Index(index=index))
    return p4r.Entity(register_entry=entry)


def timeout_or(error: RpcError) -> RpcError | ExchangeTimeout:
    """A failed exchange: that it took too long is no refusal."""
    if error.code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return ExchangeTimeout(f"no answer within {EXCHANGE_TIMEOUT_S} s")
    return error

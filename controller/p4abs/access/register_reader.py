"""Reads of RegisterEntry (P4Runtime specification, section 9.7)."""

from collections.abc import Container, Mapping

import grpc
from finsy.proto import p4r

from p4abs.access.program import UNSATURATED_REGISTERS, Program
from p4abs.access.reading import ReadOnlyConnection
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import RpcError
from p4abs.snapshot import COUNTER_MODULUS, Snapshot

EXCHANGE_TIMEOUT_S = 0.5


class RegisterReader:
    """One read request covers all registers of a port, so that they can be of one instant."""

    def __init__(
        self,
        connection: ReadOnlyConnection,
        program: Program,
        left_out: Container[str] = (),
    ) -> None:
        self._connection = connection
        self._ids = {n: i for n, i in program.register_ids().items() if n not in left_out}
        self._requests: dict[int, list[p4r.Entity]] = {}

    async def read(self, port: int) -> dict[str, int]:
        """The port's registers by name. Raises RpcError and ExchangeTimeout."""
        try:
            entities = await self._connection.read(self._request(port), EXCHANGE_TIMEOUT_S)
        except RpcError as error:
            raise timeout_or(error, port) from None
        values = {
            entity.register_entry.register_id: entity.register_entry.data.bitstring
            for entity in entities
        }
        try:
            return {
                name: int.from_bytes(values[number], "big") for name, number in self._ids.items()
            }
        except KeyError:
            raise RpcError(
                "read", grpc.StatusCode.DATA_LOSS, f"registers of port {port} missing in the answer"
            ) from None

    def _request(self, port: int) -> list[p4r.Entity]:
        if port not in self._requests:
            self._requests[port] = [register_entity(number, port) for number in self._ids.values()]
        return self._requests[port]


def snapshot_of(values: Mapping[str, int]) -> Snapshot:
    """A port's registers as a snapshot, without the extremes of the backlog.

    Its time is that of the last departure, when `departed_bytes` was exact, or that of the last
    packet that found the queue empty: until then the unsaturated time is counted.
    """
    has_unsaturated = values.keys() >= set(UNSATURATED_REGISTERS)
    unsaturated_us = values.get("unsaturated_us", 0) + values.get("unsaturated_wait_us", 0)
    return Snapshot(
        max(values["departed_at_us"], values.get("busy_since_us", 0)),
        values["admitted_bytes"],
        values["dropped_bytes"],
        values["departed_bytes"],
        values["queue_limit_bytes"],
        unsaturated_us=unsaturated_us % COUNTER_MODULUS if has_unsaturated else None,
        unsaturated_bytes=values["unsaturated_bytes"] if has_unsaturated else None,
        marked_bytes=values.get("marked_bytes"),
    )


def register_entity(register_id: int, index: int) -> p4r.Entity:
    """One element of a register, as reads and writes name it."""
    entry = p4r.RegisterEntry(register_id=register_id, index=p4r.Index(index=index))
    return p4r.Entity(register_entry=entry)


def timeout_or(error: RpcError, port: int) -> RpcError | ExchangeTimeout:
    """A failed exchange with a port: that it took too long is no refusal."""
    if error.code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return ExchangeTimeout(f"port {port}: no answer within {EXCHANGE_TIMEOUT_S} s")
    return error

"""What the registers hold, and the capacities that follow from watching them for a while."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p4abs.access.register_reader import RegisterReader, Registers
from p4abs.access.rpc_error import raise_first
from p4abs.clock import Clock
from p4abs.control.capacity import ENOUGH_WINDOWS, CapacityMeter

# Often enough for the windows of CapacityMeter within a second, seldom enough for other readers.
_ROUND_S = 0.05


@dataclass(frozen=True)
class Readings:
    """Registers by port and name; measured capacities of the ports that sent enough."""

    registers: Mapping[int, Mapping[str, int]]
    capacities_bps: Mapping[int, int]
    watched_s: float


async def take_readings(
    reader: RegisterReader, shared_bps: Mapping[int, float], clock: Clock, watch_s: float
) -> Readings:
    """Reads all ports again and again for `watch_s`, or once; raises RpcError and ExchangeTimeout.

    `shared_bps` has the ports, with the rates of the links that they share, see `CapacityMeter`.

    Watching ends earlier when all capacities are settled, and later when so many ports have not
    been read often enough by then.
    """
    ports = [*shared_bps]
    registers = await _read(reader, ports)
    last = {**registers.snapshots()}
    meters = {port: CapacityMeter(shared_bps=rate_bps) for port, rate_bps in shared_bps.items()}
    end_s, rounds = (round_s := clock.now_s()) + watch_s, 0
    while clock.now_s() < end_s or 0 < rounds < ENOUGH_WINDOWS:
        if all(meter.is_settled for meter in meters.values()):
            break
        round_s, rounds = max(round_s + _ROUND_S, clock.now_s()), rounds + 1
        await clock.sleep_until(round_s)
        for port, snapshot in (await _read(reader, ports)).snapshots().items():
            meters[port].add(last[port], snapshot)
            last[port] = snapshot
    measured = {port: meter.capacity_bps for port, meter in meters.items()}
    return Readings(
        registers.by_port(),
        {port: capacity for port, capacity in measured.items() if capacity is not None},
        watch_s,
    )


async def _read(reader: RegisterReader, ports: Sequence[int]) -> Registers:
    registers, refused = await reader.read(ports)
    raise_first(refused)
    return registers

"""Capacities that follow from reading registers again and again."""

import math
from collections.abc import Sequence

import grpc
import numpy as np
import pytest
from p4abs.access.register_reader import Registers
from p4abs.access.rpc_error import PortRefused, RpcError
from p4abs.inspection.readings import take_readings

CAPACITY_BPS = 100_000_000
FOUR = dict.fromkeys(range(1, 5), math.inf)


class SaturatedPorts:
    """Registers of ports that send all the time; a reading takes virtual time."""

    def __init__(self, clock, reading_s: float) -> None:
        self._clock = clock
        self._reading_s = reading_s
        self.readings = 0

    async def read(self, ports: Sequence[int]) -> tuple[Registers, dict]:
        self.readings += 1
        self._clock.time_s += self._reading_s
        sent_bytes = round(self._clock.now_s() * CAPACITY_BPS / 8)
        registers = {
            "departed_at_us": round(self._clock.now_s() * 1e6),
            "admitted_bytes": sent_bytes,
            "dropped_bytes": 0,
            "departed_bytes": sent_bytes,
            "queue_limit_bytes": 0,
            "unsaturated_us": 0,
            "unsaturated_wait_us": 0,
            "unsaturated_bytes": 0,
        }
        values = {name: np.full(len(ports), value, np.uint64) for name, value in registers.items()}
        return Registers([*ports], values), {}


@pytest.mark.parametrize("reading_s", [0.0, 0.001, 0.5])
async def test_capacities_are_measured_however_long_a_reading_takes(clock, reading_s) -> None:
    readings = await take_readings(SaturatedPorts(clock, reading_s), FOUR, clock, 1.0)
    assert readings.capacities_bps.keys() == FOUR.keys()
    for measured in readings.capacities_bps.values():
        assert measured == pytest.approx(CAPACITY_BPS, rel=1e-3)


async def test_no_time_to_watch_is_one_reading_of_all_ports(clock) -> None:
    source = SaturatedPorts(clock, 0.001)
    readings = await take_readings(source, FOUR, clock, 0.0)
    assert source.readings == 1
    assert readings.registers.keys() == FOUR.keys()
    assert readings.capacities_bps == {}


async def test_watching_ends_when_all_capacities_are_settled(clock) -> None:
    start_s = clock.now_s()
    await take_readings(SaturatedPorts(clock, 0.0), {1: math.inf}, clock, 3600.0)
    assert clock.now_s() < start_s + 2


async def test_a_port_that_the_switch_refuses_ends_the_readings(clock) -> None:
    class Refusing(SaturatedPorts):
        async def read(self, ports: Sequence[int]) -> tuple[Registers, dict]:
            read, _ = await super().read(ports)
            refusal = RpcError("read", grpc.StatusCode.OUT_OF_RANGE, "no such port")
            return read.without({2}), {2: PortRefused(2, refusal)}

    with pytest.raises(PortRefused, match="port 2: read: OUT_OF_RANGE"):
        await take_readings(Refusing(clock, 0.0), FOUR, clock, 1.0)

"""What a reload changes about ports that share memory, as far as a busy port among them sees it."""

import pytest
from p4abs.cli.fleet_run import reload
from p4abs.config import Settings, Source, load_settings
from p4abs.telemetry import WatchedSwitch, Watcher

from controller.tests.fleet.conftest import RemoteSwitch, Run, World

DURATION_S = 4.0
PORTS, MEMORY = 9, 300_000
BUSY = 1
PORT = {"number": f"{BUSY}-{PORTS}", "capacity": "10Mbit", "utilization-from": "departures"}
OTHERS = {
    "loss": 0.01,
    "min-limit": "5kB",
    "parameters": {"precision": 0.2},
    "capacity": "11Mbit",
    "utilization-from": "idle",
}


def settings(**port: object) -> Settings:
    table = {"name": "one", "grpc-addr": "one:9559", "memory": f"{MEMORY}B"}
    return load_settings(Source({"switch": [{**table, "port": [{**PORT, **port}]}]}), {})


class Limits(Watcher):
    """Those that the switch has after each interval."""

    def __init__(self, switch: RemoteSwitch) -> None:
        self._switch = switch
        self.sums: list[int] = []
        self.of_busy: list[int] = []

    def tick(self, switch: WatchedSwitch) -> None:
        self.sums.append(sum(self._switch.limits.values()))
        self.of_busy.append(self._switch.limits[BUSY])


@pytest.mark.parametrize("key", [*OTHERS])
async def test_a_busy_port_keeps_the_memory_that_silent_ones_lend_it(world: World, key) -> None:
    one = world.add("one", idle={*range(1, PORTS + 1)} - {BUSY})
    limits = Limits(one)
    world.watchers = [lambda _: limits]
    begun: list[int] = []

    async def change(run: Run) -> None:
        begun.append(len(limits.of_busy))
        await reload(run.of, lambda: settings(**{key: OTHERS[key]}))

    run = await world.run(DURATION_S, change, settings=settings())
    assert any(f"changed: one ({PORTS} ports" in line for line in run.ticks.lines)
    before, after = limits.of_busy[: begun[0]], limits.of_busy[begun[0] :]
    # Far more than an equal share.
    assert before[-1] > 2 * MEMORY / PORTS
    assert min(after) >= before[-1]
    assert max(limits.sums) <= MEMORY

"""What a reload changes about a port that somebody has returned to its safe limit."""

import pytest
from p4abs.cli.fleet_run import reload

from controller.tests.fleet.conftest import SAFE_LIMIT, Run, World

DURATION_S = 2.0
BELOW = {"max-limit": "100kB", "initial-limit": "60kB"}


@pytest.mark.parametrize(
    ("ports", "memory", "held"),
    [
        ({"loss": 0.01}, "900kB", SAFE_LIMIT),
        ({"safe-limit": "120kB"}, None, 120_000),
        ({"safe-limit": "300kB"}, None, 300_000),
        ({**BELOW, "safe-limit": "90kB"}, "900kB", 90_000),
        ({**BELOW, "safe-limit": None}, None, 100_000),
        # Half of it is for the other port.
        ({}, "150kB", 75_000),
        # Others may have the memory that it would need.
        ({"safe-limit": "300kB"}, "900kB", SAFE_LIMIT),
    ],
)
async def test_it_is_held_by_the_safe_limit_of_the_new_settings(
    world: World, ports, memory, held: int
) -> None:
    one = world.add("one")
    world.ports = {"policy": "abs", "utilization-from": "departures"}
    before = {} if memory is None else {"memory": "900kB"}
    after = {} if memory is None else {"memory": memory}
    limits: list[int] = []

    async def change(run: Run) -> None:
        controller = run.of.fleet.switches["one"].controller
        await controller.releases.release(controller.settings.port[0], "somebody")
        await reload(run.of, lambda: world.settings(ports, **after))
        await world.clock.sleep(DURATION_S / 4)
        limits.extend(one.limits[port] for port in (1, 2))
        assert controller.releases.limits == {1: held}

    run = await world.run(DURATION_S, change, settings=world.settings(**before))
    assert run.failures == {}
    assert limits[0] == held
    assert memory is None or sum(limits) <= int(memory.removesuffix("kB")) * 1000

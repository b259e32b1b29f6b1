"""Whatever reloads change, the queues of a switch never hold more than the memory they share."""

import random

import pytest

from controller.tests.chaos.world import Controller, World

SEED, RELOADS = 2, 40
CHANGES = {
    "targets": lambda choose: {"loss": choose([0.01, 0.02, 0.05]), "priority": choose([0, 3])},
    "links": lambda choose: {"capacity": choose(["10Mbit", "10.1Mbit"])},
    "modes": lambda choose: choose([{}, {}, {"mode": "observe"}]),
    "policies": lambda choose: choose(
        [{}, {"policy": "adt"}, {"policy": "static", "initial-limit": choose(["20kB", "55kB"])}]
    ),
}


def reloads(world: World, controller: Controller, ports: dict[int, dict[str, object]]) -> None:
    """As a SIGHUP does, without the file."""
    settings = world.settings(controller.name, controller.election_id, ports.__getitem__)

    def adopt() -> None:
        for each in settings.switch:
            controller.run.fleet.switches[each.name].adopt(each)

    controller.process.receive(adopt)


@pytest.mark.parametrize("kind", [*CHANGES])
def test_no_reload_gives_away_memory_that_queues_still_hold(kind: str) -> None:
    generator = random.Random(SEED)
    with World(SEED, range(1, 5)) as world:
        for _ in range(RELOADS):
            world.run(generator.expovariate(1.0))
            ports = {number: CHANGES[kind](generator.choice) for number in world.numbers}
            for controller in world.controllers.values():
                reloads(world, controller, ports)
            for switch in world.switches:
                world.touch(switch)
        world.run(4.0)
    assert (world.wrong, world.over_memory, world.late) == ([], [], [])

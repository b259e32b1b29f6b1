"""Replicas whose configuration is read again one after the other, as an operator would have it."""

import asyncio

import pytest
from p4abs.session import SwitchState

from controller.tests.replicas.world import MAX, MEMORY, MIN, PORTS, Node, World

BETWEEN_S = 0.5
BOUNDS = {"min-limit": f"{MIN}B", "max-limit": f"{MAX}B"}
CHANGES = {
    "another link of one port": {
        "port": [
            {"number": number, "capacity": capacity, **BOUNDS}
            for number, capacity in zip(PORTS, ("10Mbit", "20Mbit"), strict=True)
        ]
    },
    "less memory": {"memory": f"{MEMORY - 100_000}B"},
    "another interval": {"interval": "40ms"},
}


def reload(world: World, node: Node, **switch: object) -> None:
    """As at SIGHUP."""
    changes = node.run.changes_to(world.settings(node.replica, **switch))
    node.process.receive(lambda: asyncio.ensure_future(node.run.carry_out(changes)))


def states(world: World, switch: int) -> list[SwitchState]:
    name = f"s{switch}"
    return [node.fleet.switches[name].controller.state for node in world.nodes]


def said_of_primaries(world: World) -> list[str]:
    """What each backup of a switch has said last of the switch's primary."""
    return [
        [line for line in node.said.lines if line.startswith(f"{name}: backup: ")][-1]
        for node in world.nodes
        for name, switch in node.fleet.switches.items()
        if switch.controller.state is SwitchState.BACKUP
    ]


def reloaded(make_world, order: list[int], **switch: object) -> World:
    world = make_world(3, 2, 7)
    world.run(BETWEEN_S)
    for number in order:
        reload(world, world.nodes[number], **switch)
        world.run(BETWEEN_S)
    return world


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0]])
@pytest.mark.parametrize("change", CHANGES)
def test_no_switch_is_without_a_controller_or_has_two_meanwhile(make_world, order, change) -> None:
    world = reloaded(make_world, order, **CHANGES[change])
    assert world.wrong == []
    for switch in range(len(world.switches)):
        assert sorted(states(world, switch)) == sorted(
            [SwitchState.CONTROLLING, SwitchState.BACKUP, SwitchState.BACKUP]
        )


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0]])
def test_whoever_disagrees_says_so_until_all_have_it(make_world, order) -> None:
    world = reloaded(make_world, order[:2], **CHANGES["less memory"])
    assert any("another configuration" in text for text in said_of_primaries(world))
    reload(world, world.nodes[order[2]], **CHANGES["less memory"])
    world.run(BETWEEN_S)
    last = said_of_primaries(world)
    assert len(last) == (len(world.nodes) - 1) * len(world.switches)
    assert all(text.endswith("/3 is primary") for text in last)


def test_a_smaller_memory_is_kept_to_whoever_is_primary_then(make_world) -> None:
    world = reloaded(make_world, [0, 1, 2], **CHANGES["less memory"])
    world.nodes[0].kill()
    world.run(2 * BETWEEN_S)
    assert all(sum(world.limits(switch)) <= MEMORY - 100_000 for switch in (0, 1))
    assert world.wrong == []

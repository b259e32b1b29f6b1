"""Two replicas and a switch, over real gRPC."""

import pytest
from p4abs.access.connection import Connection
from p4abs.session import SwitchState
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

pytestmark = pytest.mark.usefixtures("patience")

PORT, LIMIT, SAFE_LIMIT = 2, 60_000, 200_000  # see conftest.py
PATHS = ["mailbox", "register-entry"]


def limit(switch) -> int:
    return switch.engine.registers_read([("queue_limit_bytes", PORT)])[0]


def set_limit(switch, limit_bytes: int) -> None:
    switch.engine.registers_write([("queue_limit_bytes", PORT, limit_bytes)])


@pytest.mark.parametrize("first", [1, 2])
async def test_the_preferred_replica_gets_the_switch_whoever_comes_first(
    eventually, replica, first
) -> None:
    async with (
        running(config(), live=False) as switch,
        replica(switch.address, first) as one,
    ):
        await eventually(lambda: one.ticks > 3)
        async with replica(switch.address, 3 - first) as other:
            preferred, backup = (one, other) if first == 1 else (other, one)
            await eventually(lambda: backup.controller.state is SwitchState.BACKUP)
            await eventually(lambda: preferred.ticks > 3)
            assert backup.said("backup: replica 1/2 is primary")


@pytest.mark.parametrize("path", PATHS)
async def test_a_replica_stays_primary_beside_its_backup_on_either_register_path(
    eventually, replica, path
) -> None:
    flags = {"register-path": path, "interval": "5ms"}
    async with (
        running(config(), live=False) as switch,
        replica(switch.address, 1, **flags) as primary,
        replica(switch.address, 2, **flags) as backup,
    ):
        await eventually(lambda: backup.controller.state is SwitchState.BACKUP)
        before = primary.ticks
        await eventually(lambda: primary.ticks > before + 100)
        assert primary.controller.reconnections == 0
        assert primary.controller.state is SwitchState.CONTROLLING


@pytest.mark.parametrize("path", PATHS)
async def test_a_replica_that_ends_hands_over_with_the_limits_in_force(
    eventually, replica, path
) -> None:
    flags = {"register-path": path}
    async with (
        running(config(), live=False) as switch,
        replica(switch.address, 2, **flags) as backup,
    ):
        async with replica(switch.address, 1, **flags) as primary:
            await eventually(lambda: primary.ticks > 3)
            await eventually(lambda: backup.controller.state is SwitchState.BACKUP)
            set_limit(switch, LIMIT)
            await eventually(lambda: limit(switch) != LIMIT)
            in_force = limit(switch)
            assert await primary.end()
            assert primary.said("handed over to another controller, with the limits")
        await eventually(lambda: backup.ticks > 3)
        assert limit(switch) == in_force


async def test_a_replica_begins_with_the_limits_in_the_registers(eventually, replica) -> None:
    async with running(config(), live=False) as switch:
        async with replica(switch.address, 1) as first:
            await eventually(lambda: first.ticks > 3)
        set_limit(switch, LIMIT)
        async with replica(switch.address, 2) as second:
            await eventually(lambda: second.ticks > 3)
            assert limit(switch) == LIMIT


async def test_the_last_replica_to_end_leaves_safe_limits(eventually, replica) -> None:
    async with running(config(), live=False) as switch, replica(switch.address, 1) as only:
        await eventually(lambda: only.ticks > 3)
        assert await only.end()
        assert limit(switch) == SAFE_LIMIT


async def test_replicas_that_disagree_about_the_configuration_say_so_once(
    eventually, replica, settings
) -> None:
    async with (
        running(config(), live=False) as switch,
        replica(switch.address, 1) as primary,
        replica(switch.address, 2, policy="abs") as backup,
    ):
        await eventually(lambda: backup.said("another configuration is primary"))
        before = primary.ticks
        await eventually(lambda: primary.ticks > before + 20)
        assert sum("another configuration" in line for line in backup.lines) == 1
        primary.controller.adopt(settings(switch.address, policy="abs"))
        await eventually(lambda: backup.said("backup: replica 1/2 is primary"))


async def test_of_two_processes_with_one_number_one_is_the_other_s_backup(
    eventually, replica
) -> None:
    async with (
        running(config(), live=False) as switch,
        replica(switch.address, 1) as one,
        replica(switch.address, 1) as other,
    ):
        states = {SwitchState.CONTROLLING, SwitchState.BACKUP}
        await eventually(lambda: {one.controller.state, other.controller.state} == states)
        backup = one if one.controller.state is SwitchState.BACKUP else other
        assert backup.said("backup: replica 1/2 is primary")


async def test_a_controller_that_is_no_replica_is_left_alone(eventually, replica) -> None:
    async with (
        running(config(), live=False) as switch,
        replica(switch.address, 1) as only,
    ):
        await eventually(lambda: only.ticks > 0)
        async with Connection(switch.address, switch.device_id, 2**127):
            await eventually(lambda: only.said(f"primary, with election id {2**127}"))
        before = only.ticks
        await eventually(lambda: only.ticks > before)

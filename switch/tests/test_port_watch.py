"""Ports go down and come back: members that watch them leave and join their groups."""

from pathlib import Path

import pytest
from finsy.proto import p4r
from p4abs_switch import PortConfig
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, pipeline_config
from .entities import Entities, frame
from .test_profiles import group, member, one_shot, to_group


@pytest.mark.requirement("9.2.3-5", "18.1-2")
async def test_a_member_whose_port_is_down_is_not_chosen(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    entry = _watching(resources, 2, 3)
    await resources_primary.insert(entry)
    assert _chosen(resources_switch) == {2, 3}
    resources_switch.engine.set_port_up(2, False)
    assert _chosen(resources_switch) == {3}
    resources_switch.engine.set_port_up(2, True)
    assert _chosen(resources_switch) == {2, 3}
    assert await resources_primary.read(resources.entry("balanced")) == [entry]


@pytest.mark.requirement("9.2.2-5", "9.2.2-6", "9.2.4-4")
async def test_a_group_chooses_from_members_that_are_up_or_watch_no_port(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    watching = group(resources, 1, {2: 1, 3: 1})
    watching.action_profile_group.members[0].watch_port = b"\x02"
    await resources_primary.insert(
        member(resources, "paths", 2, 2),
        member(resources, "paths", 3, 3),
        watching,
        to_group(resources, 1),
    )
    for port in (2, 3):
        resources_switch.engine.set_port_up(port, False)
    assert _chosen(resources_switch) == {3}
    watching.action_profile_group.members[1].watch_port = b"\x03"
    await resources_primary.modify(watching)
    assert _chosen(resources_switch) == set()


async def test_a_port_that_comes_later_is_watched_in_a_later_program_too_and_one_that_goes_is_left(
    resources_switch: RunningSwitch,
    resources_primary: Controller,
    resources: Entities,
    resources_json: Path,
) -> None:
    resources_switch.engine.add_port(PortConfig(4, "veth4"))
    entry = _watching(resources, 2, 4)
    await resources_primary.insert(entry)
    reconcile = p4r.SetForwardingPipelineConfigRequest.RECONCILE_AND_COMMIT
    await resources_primary.set_config(reconcile, pipeline_config(resources_json))
    assert _chosen(resources_switch) == {2, 4}
    resources_switch.engine.remove_port(4)
    assert _chosen(resources_switch) == {2}
    resources_switch.engine.add_port(PortConfig(4, "veth4"))
    assert _chosen(resources_switch) == {2, 4}


async def test_a_port_that_comes_later_is_watched_by_what_is_written_to_a_saved_program(
    resources_switch: RunningSwitch,
    resources_primary: Controller,
    resources: Entities,
    resources_json: Path,
) -> None:
    actions = p4r.SetForwardingPipelineConfigRequest
    await resources_primary.set_config(actions.VERIFY_AND_SAVE, pipeline_config(resources_json))
    resources_switch.engine.add_port(PortConfig(4, "veth4"))
    await resources_primary.insert(_watching(resources, 2, 4))
    await resources_primary.set_config(actions.COMMIT, None)
    assert _chosen(resources_switch) == {2, 4}


def _watching(resources: Entities, *ports: int) -> p4r.Entity:
    """An entry that chooses from ports, each watched."""
    entry = one_shot(resources, dict.fromkeys(ports, 1))
    for item in entry.table_entry.action.action_profile_action_set.action_profile_actions:
        item.watch_port = item.action.params[0].value
    return entry


def _chosen(switch: RunningSwitch) -> set[int]:
    """The ports that packets of many sources leave by."""
    at_ns = switch.engine.now_us() * 1_000 + 1_000
    for number in range(64):
        switch.engine.inject(1, frame(1, number * 0x10305, 0x0800), at_ns)
    return {port for _, port, _ in switch.engine.run_until(at_ns)}

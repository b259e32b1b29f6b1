"""Action selectors of all kinds: weights, sizes and one-shot sets (P4Runtime 1.5, section 9.2)."""

from collections.abc import Mapping
from pathlib import Path

import grpc
import pytest
from finsy.proto import p4i, p4r

from .controller import Controller, failure, pipeline_config
from .entities import Entities
from .test_profiles import group, member, one_shot

INSERT, MODIFY = p4r.Update.INSERT, p4r.Update.MODIFY
INVALID = grpc.StatusCode.INVALID_ARGUMENT
_Set = p4r.ActionProfileActionSet
MEMBERS = {"sum_of_members": p4i.ActionProfile.SumOfMembers()}
LIGHT_MEMBERS = {"sum_of_members": p4i.ActionProfile.SumOfMembers(max_member_weight=3)}


async def push(primary: Controller, program: Path, properties: Mapping[str, object]) -> None:
    """Sets the resources program with these properties of the action selector `paths`."""
    config = pipeline_config(program)
    selector = next(item for item in config.p4info.action_profiles if item.with_selector)
    selector.MergeFrom(p4i.ActionProfile(**properties))  # type: ignore[arg-type]
    action = p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT
    await primary.set_config(action, config)


@pytest.mark.requirement("9.2.2-3", "9.2.2-4", "9.2.3-2")
async def test_where_weights_are_disallowed_only_0_is_one(
    resources_primary: Controller, resources: Entities, resources_json: Path
) -> None:
    await push(resources_primary, resources_json, {"weights_disallowed": True})
    weightless = one_shot(resources, {2: 0, 3: 0})
    await resources_primary.insert(weightless)
    assert await resources_primary.read(resources.entry("balanced")) == [weightless]
    changed = await failure(resources_primary, MODIFY, one_shot(resources, {2: 1}))
    assert changed[0] is INVALID
    await resources_primary.delete(weightless)
    alike = group(resources, 1, {1: 0})
    await resources_primary.insert(member(resources, "paths", 1, 1), alike)
    assert await resources_primary.read(group(resources, 0, {})) == [alike]
    changed = await failure(resources_primary, MODIFY, group(resources, 1, {1: 1}))
    assert changed[0] is INVALID


@pytest.mark.requirement("9.2.2.1-1")
async def test_max_size_keeps_to_the_selectors_max_group_size(
    resources_primary: Controller, resources: Entities, resources_json: Path
) -> None:
    await push(resources_primary, resources_json, {"max_group_size": 4})
    await resources_primary.insert(group(resources, 1, {}, max_size=4))
    for max_size in (0, 5):
        refused = group(resources, 2, {}, max_size=max_size)
        assert (await failure(resources_primary, INSERT, refused))[0] is INVALID


@pytest.mark.requirement("9.2.2.1-2", "9.2.2.1-3", "9.2.2.1-4")
async def test_without_max_group_size_only_what_the_switch_supports_counts(
    resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(member(resources, "paths", 1, 1))
    for number, (weight, max_size) in enumerate(((1, 0), (1, 1), (65_536, 65_536)), start=1):
        await resources_primary.insert(group(resources, number, {1: weight}, max_size=max_size))
    for beyond in (
        group(resources, 9, {1: 65_537}),
        group(resources, 9, {1: 1}, max_size=65_537),
        group(resources, 9, {1: 1}, max_size=2**31 - 1),
    ):
        code, _ = await failure(resources_primary, INSERT, beyond)
        assert code is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.requirement("9.2.3-1", "9.2.3-3", "9.2.3-4")
@pytest.mark.parametrize(
    ("properties", "fits", "exceeds"),
    [
        ({"max_group_size": 4}, {2: 3, 3: 1}, {2: 3, 3: 2}),
        ({"max_group_size": 2, **MEMBERS}, {1: 9, 2: 9}, {1: 1, 2: 1, 3: 1}),
        (LIGHT_MEMBERS, {1: 3, 2: 3}, {1: 4}),
    ],
    ids=["sum of weights", "sum of members", "max_member_weight"],
)
async def test_a_one_shot_set_keeps_to_the_selectors_sizes(
    resources_primary: Controller,
    resources: Entities,
    resources_json: Path,
    properties: Mapping[str, object],
    fits: dict[int, int],
    exceeds: dict[int, int],
) -> None:
    await push(resources_primary, resources_json, properties)
    assert (await failure(resources_primary, INSERT, one_shot(resources, exceeds)))[0] is INVALID
    await resources_primary.insert(one_shot(resources, fits))
    assert await resources_primary.read(resources.entry("balanced")) == [one_shot(resources, fits)]


@pytest.mark.requirement("9.2.3-10")
async def test_equal_actions_of_a_one_shot_set_stay_apart_and_each_counts(
    resources_primary: Controller, resources: Entities, resources_json: Path
) -> None:
    await push(resources_primary, resources_json, {"max_group_size": 2, **LIGHT_MEMBERS})
    twice = one_shot(resources, {2: 3})
    actions = twice.table_entry.action.action_profile_action_set.action_profile_actions
    actions.add().CopyFrom(actions[0])
    await resources_primary.insert(twice)
    assert await resources_primary.read(resources.entry("balanced")) == [twice]
    actions.add().CopyFrom(actions[0])
    assert (await failure(resources_primary, MODIFY, twice))[0] is INVALID


@pytest.mark.requirement("9.2.3-6", "9.2.3-7")
@pytest.mark.parametrize("properties", [{}, MEMBERS], ids=["sum of weights", "sum of members"])
async def test_a_one_shot_set_may_name_its_selectors_own_way_and_no_other(
    resources_primary: Controller,
    resources: Entities,
    resources_json: Path,
    properties: Mapping[str, object],
) -> None:
    await push(resources_primary, resources_json, properties)
    own, other = (_Set.SUM_OF_WEIGHTS, _Set.SUM_OF_MEMBERS)[:: -1 if properties else 1]
    named = one_shot(resources, {2: 1, 3: 1})
    action_set = named.table_entry.action.action_profile_action_set
    action_set.action_selection_mode, action_set.size_semantics = _Set.HASH, own
    await resources_primary.insert(named)
    assert await resources_primary.read(resources.entry("balanced")) == [named]
    action_set.size_semantics = other
    code, _ = await failure(resources_primary, MODIFY, named)
    assert code is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.requirement("9.2.3-13")
async def test_an_action_of_the_whole_group_is_unimplemented(
    resources_primary: Controller, resources: Entities
) -> None:
    group_action = resources.action("forward", 2).action.SerializeToString()
    field_5 = bytes([5 << 3 | 2, len(group_action)]) + group_action
    entity = one_shot(resources, {2: 1})
    entity.table_entry.action.action_profile_action_set.MergeFromString(field_5)
    code, message = await failure(resources_primary, INSERT, entity)
    assert code is grpc.StatusCode.UNIMPLEMENTED
    assert "such as group_action; leave it unset" in message

"""Action profiles, selectors and one-shot action sets (P4Runtime 1.5, section 9.2)."""

import grpc
import pytest
from finsy.proto import p4r
from p4abs_switch.runtime.local import Local
from p4abs_switch.server.serve import RunningSwitch

from .controller import Controller, failure
from .entities import Entities, exact, frame, lpm

INSERT, MODIFY, DELETE = p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE
INVALID = grpc.StatusCode.INVALID_ARGUMENT
_Set = p4r.ActionProfileActionSet


def member(resources: Entities, profile: str, number: int, port: int | None = None) -> p4r.Entity:
    message = p4r.ActionProfileMember(action_profile_id=resources.id(profile), member_id=number)
    if port is not None:
        message.action.CopyFrom(resources.action("forward", port).action)
    return p4r.Entity(action_profile_member=message)


def group(
    resources: Entities, number: int, members: dict[int, int], max_size: int = 0
) -> p4r.Entity:
    """A group of `paths`: member ids with their weights."""
    return p4r.Entity(
        action_profile_group=p4r.ActionProfileGroup(
            action_profile_id=resources.id("paths"),
            group_id=number,
            max_size=max_size,
            members=[
                p4r.ActionProfileGroup.Member(member_id=key, weight=weight)
                for key, weight in members.items()
            ],
        )
    )


def one_shot(resources: Entities, ports: dict[int, int], destination: int = 1) -> p4r.Entity:
    """An entry of `balanced`: ports with their weights."""
    entity = resources.entry("balanced", [exact(1, destination)])
    for port, weight in ports.items():
        entity.table_entry.action.action_profile_action_set.action_profile_actions.add(
            action=resources.action("forward", port).action, weight=weight
        )
    return entity


def to_member(resources: Entities, number: int) -> p4r.Entity:
    entity = resources.entry("routes", [lpm(1, 0, 1)])
    entity.table_entry.action.action_profile_member_id = number
    return entity


def to_group(resources: Entities, number: int) -> p4r.Entity:
    entity = resources.entry("balanced", [exact(1, 1)])
    entity.table_entry.action.action_profile_group_id = number
    return entity


@pytest.mark.requirement("9.2.4-2")
async def test_an_entry_forwards_as_its_member_says(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(member(resources, "next_hops", 7, 2), to_member(resources, 7))
    packet = frame(1, 2, 0x0800)
    assert _departures(resources_switch, packet) == [2]
    await resources_primary.modify(member(resources, "next_hops", 7, 3))
    assert _departures(resources_switch, packet) == [3]
    assert await resources_primary.read(resources.entry("routes")) == [to_member(resources, 7)]


async def test_a_group_that_was_made_over_thrift_can_be_modified(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(member(resources, "paths", 1, 1))
    local = Local(resources_switch.engine, resources.p4info)
    local.insert(action_profile_group=group(resources, 5, {}).action_profile_group)
    await resources_primary.modify(group(resources, 5, {1: 1}))
    assert await resources_primary.read(group(resources, 5, {})) == [group(resources, 5, {1: 1})]


@pytest.mark.requirement("8.2-1", "9.2.1-11", "9.2.2-17")
async def test_members_and_groups_read_back_as_written(
    resources_primary: Controller, resources: Entities
) -> None:
    members = [member(resources, "paths", number, number) for number in (1, 2)]
    await resources_primary.insert(*members, member(resources, "next_hops", 1, 3))
    written = group(resources, 5, {1: 2, 2: 1}, max_size=8)
    written.action_profile_group.members[0].watch_port = b"\x01"
    await resources_primary.insert(written, to_group(resources, 5))
    one = member(resources, "paths", 2)
    assert await resources_primary.read(one) == members[1:]
    one.action_profile_member.member_id = 0
    assert await resources_primary.read(one) == members
    everything = p4r.Entity(action_profile_member=p4r.ActionProfileMember())
    assert len(await resources_primary.read(everything)) == 3
    everything = p4r.Entity(action_profile_group=p4r.ActionProfileGroup())
    for wanted in (everything, group(resources, 0, {}), group(resources, 5, {})):
        assert await resources_primary.read(wanted) == [written]
    assert await resources_primary.read(group(resources, 6, {})) == []
    assert await resources_primary.read(resources.entry("balanced")) == [to_group(resources, 5)]


@pytest.mark.requirement("9.2.1-8", "9.2.2-13")
async def test_what_is_in_use_stays(resources_primary: Controller, resources: Entities) -> None:
    await resources_primary.insert(
        member(resources, "paths", 1, 1), group(resources, 5, {1: 1}), to_group(resources, 5)
    )
    in_use = grpc.StatusCode.FAILED_PRECONDITION
    for entity in (member(resources, "paths", 1), group(resources, 5, {})):
        assert (await failure(resources_primary, DELETE, entity))[0] is in_use
    await resources_primary.delete(to_group(resources, 5))
    await resources_primary.delete(group(resources, 5, {}))
    await resources_primary.delete(member(resources, "paths", 1))


@pytest.mark.requirement(
    "9.1.2-8", "9.2.1-1", "9.2.1-2", "9.2.1-3", "9.2.1-4", "9.2.1-5", "9.2.1-7"
)
async def test_members_that_do_not_fit_are_refused(
    resources_primary: Controller, resources: Entities
) -> None:
    inserted = member(resources, "next_hops", 1, 1)
    await resources_primary.insert(inserted)
    other_action = member(resources, "next_hops", 2)
    other_action.action_profile_member.action.action_id = resources.id("learn")
    no_profile = member(resources, "next_hops", 2, 1)
    no_profile.action_profile_member.action_profile_id = 1
    for kind, entity, code in (
        (INSERT, inserted, grpc.StatusCode.ALREADY_EXISTS),
        (MODIFY, member(resources, "next_hops", 2, 1), grpc.StatusCode.NOT_FOUND),
        (DELETE, member(resources, "next_hops", 2), grpc.StatusCode.NOT_FOUND),
        (INSERT, member(resources, "next_hops", 0, 1), INVALID),
        (INSERT, member(resources, "next_hops", 2), INVALID),
        (INSERT, other_action, INVALID),
        (INSERT, no_profile, INVALID),
        (INSERT, member(resources, "next_hops", 2, 512), grpc.StatusCode.OUT_OF_RANGE),
        (INSERT, to_member(resources, 2), grpc.StatusCode.NOT_FOUND),
        (INSERT, to_member(resources, 0), INVALID),
        (INSERT, to_group(resources, 1), grpc.StatusCode.NOT_FOUND),
    ):
        assert (await failure(resources_primary, kind, entity))[0] is code, entity
    for entity, missing in (
        (to_member(resources, 2), "action profile ResourcesIngress.next_hops: no such member 2"),
        (to_group(resources, 1), "action profile ResourcesIngress.paths: no such group 1"),
    ):
        assert (await failure(resources_primary, INSERT, entity))[1] == missing
    for number in (2, 3, 4):
        await resources_primary.insert(member(resources, "next_hops", number, 1))
    fifth = member(resources, "next_hops", 5, 1)
    full = await failure(resources_primary, INSERT, fifth)
    assert full[0] is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.requirement(
    "9.2.2-3", "9.2.2-7", "9.2.2-8", "9.2.2-9", "9.2.2-10", "9.2.2-11", "9.2.2-14", "9.2.2-16"
)
async def test_groups_that_do_not_fit_are_refused(
    resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(
        member(resources, "paths", 1, 1), group(resources, 1, {1: 1}, max_size=4)
    )
    twice = group(resources, 2, {1: 1})
    twice.action_profile_group.members.add(member_id=1, weight=1)
    no_port = group(resources, 2, {1: 1})
    no_port.action_profile_group.members[0].watch_port = b"\x63"
    no_selector = group(resources, 2, {})
    no_selector.action_profile_group.action_profile_id = resources.id("next_hops")
    for kind, entity, code in (
        (INSERT, group(resources, 1, {}), grpc.StatusCode.ALREADY_EXISTS),
        (MODIFY, group(resources, 2, {}), grpc.StatusCode.NOT_FOUND),
        (DELETE, group(resources, 2, {}), grpc.StatusCode.NOT_FOUND),
        (INSERT, group(resources, 2, {9: 1}), grpc.StatusCode.NOT_FOUND),
        (INSERT, group(resources, 0, {1: 1}), INVALID),
        (INSERT, group(resources, 2, {1: 0}), INVALID),
        (INSERT, group(resources, 2, {1: 1}, max_size=-1), INVALID),
        (MODIFY, group(resources, 1, {1: 1}, max_size=5), INVALID),
        (MODIFY, group(resources, 1, {1: 5}, max_size=4), grpc.StatusCode.RESOURCE_EXHAUSTED),
        (INSERT, twice, INVALID),
        (INSERT, no_port, INVALID),
        (INSERT, no_selector, INVALID),
    ):
        assert (await failure(resources_primary, kind, entity))[0] is code, entity


@pytest.mark.requirement("9.2.1-6", "9.2.2-12")
async def test_modifications_that_do_not_fit_are_refused(
    resources_primary: Controller, resources: Entities
) -> None:
    kept = [member(resources, "paths", 1, 1), group(resources, 1, {1: 1})]
    await resources_primary.insert(*kept)
    for entity, code in (
        (member(resources, "paths", 1), INVALID),
        (group(resources, 1, {9: 1}), grpc.StatusCode.NOT_FOUND),
    ):
        assert (await failure(resources_primary, MODIFY, entity))[0] is code, entity
    everything = (
        p4r.Entity(action_profile_member=p4r.ActionProfileMember()),
        p4r.Entity(action_profile_group=p4r.ActionProfileGroup()),
    )
    assert await resources_primary.read(*everything) == kept


@pytest.mark.requirement("9.2.1-9", "9.2.1-10", "9.2.2-15")
async def test_a_deletion_looks_at_the_ids_alone(
    resources_primary: Controller, resources: Entities
) -> None:
    odd_member = member(resources, "next_hops", 1)
    odd_member.action_profile_member.action.action_id = 99
    odd_group = group(resources, 1, {9: -1}, max_size=-1)
    await resources_primary.insert(
        member(resources, "next_hops", 1, 1), to_member(resources, 1), group(resources, 1, {})
    )
    in_use = await failure(resources_primary, DELETE, odd_member)
    assert in_use[0] is grpc.StatusCode.FAILED_PRECONDITION
    await resources_primary.delete(to_member(resources, 1), odd_member, odd_group)


@pytest.mark.requirement("9.2.2-1", "9.2.2-2", "9.2.4-2")
async def test_a_member_may_be_in_several_groups_and_changes_in_all_of_them(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    other = to_group(resources, 2)
    other.table_entry.match[0].CopyFrom(exact(1, 2))
    await resources_primary.insert(
        member(resources, "paths", 1, 2),
        group(resources, 1, {1: 1}),
        group(resources, 2, {1: 1}),
        to_group(resources, 1),
        other,
    )
    packets = [frame(destination, 5, 0x0800) for destination in (1, 2)]
    assert [_departures(resources_switch, packet) for packet in packets] == [[2], [2]]
    await resources_primary.modify(member(resources, "paths", 1, 3))
    assert [_departures(resources_switch, packet) for packet in packets] == [[3], [3]]


@pytest.mark.requirement("9.2.4-3")
async def test_a_group_may_be_empty_and_then_does_nothing(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(
        member(resources, "next_hops", 1, 2),
        to_member(resources, 1),
        group(resources, 1, {}),
        to_group(resources, 1),
    )
    assert await resources_primary.read(resources.entry("balanced")) == [to_group(resources, 1)]
    assert _departures(resources_switch, frame(1, 5, 0x0800)) == [2]


@pytest.mark.requirement("9.2.3-6", "9.2.3-8", "9.2.3-9", "9.2.3-12")
async def test_a_one_shot_set_is_forwarded_by_and_read_back_as_written(
    resources_switch: RunningSwitch, resources_primary: Controller, resources: Entities
) -> None:
    written = one_shot(resources, {2: 3, 3: 1})
    written.table_entry.action.action_profile_action_set.action_selection_mode = _Set.HASH
    await resources_primary.insert(written)
    assert await resources_primary.read(resources.entry("balanced")) == [written]
    everything = p4r.Entity(action_profile_member=p4r.ActionProfileMember())
    assert await resources_primary.read(everything) == []
    ports = {_departures(resources_switch, frame(1, i * 0x10305, 0x0800))[0] for i in range(64)}
    assert ports == {2, 3}
    changed = one_shot(resources, {2: 1})
    await resources_primary.modify(changed)
    assert await resources_primary.read(resources.entry("balanced")) == [changed]
    assert _departures(resources_switch, frame(1, 5, 0x0800)) == [2]


@pytest.mark.requirement("9.2.3-11")
async def test_one_shot_sets_and_members_do_not_mix(
    resources_primary: Controller, resources: Entities
) -> None:
    await resources_primary.insert(one_shot(resources, {2: 1}))
    assert (await failure(resources_primary, INSERT, member(resources, "paths", 1, 1)))[
        0
    ] is INVALID
    await resources_primary.delete(one_shot(resources, {}))
    await resources_primary.insert(member(resources, "paths", 1, 1))
    assert (await failure(resources_primary, INSERT, one_shot(resources, {2: 1})))[0] is INVALID


@pytest.mark.requirement("9.1.2-3", "9.2.3-2", "9.2.3-7")
async def test_one_shot_sets_that_do_not_fit_are_refused(
    resources_primary: Controller, resources: Entities
) -> None:
    watching = one_shot(resources, {2: 1})
    actions = watching.table_entry.action.action_profile_action_set.action_profile_actions
    actions[0].watch_port = b"\x63"
    at_random = one_shot(resources, {2: 1})
    at_random.table_entry.action.action_profile_action_set.action_selection_mode = _Set.RANDOM
    for entity, code in (
        (one_shot(resources, {2: 0}), INVALID),
        (one_shot(resources, {512: 1}), grpc.StatusCode.OUT_OF_RANGE),
        (watching, INVALID),
        (at_random, grpc.StatusCode.UNIMPLEMENTED),
        (resources.entry("balanced", [exact(1, 1)], "forward", 1), INVALID),
    ):
        assert (await failure(resources_primary, INSERT, entity))[0] is code, entity


async def test_a_batch_on_profiles_is_rolled_back(
    resources_primary: Controller, resources: Entities
) -> None:
    kept = [member(resources, "paths", 1, 1), group(resources, 1, {1: 3}, max_size=4)]
    await resources_primary.insert(*kept)
    with pytest.raises(grpc.aio.AioRpcError):
        await resources_primary.write(
            p4r.Update(type=INSERT, entity=member(resources, "paths", 2, 2)),
            p4r.Update(type=MODIFY, entity=group(resources, 1, {1: 1, 2: 1}, max_size=4)),
            p4r.Update(type=MODIFY, entity=member(resources, "paths", 1, 3)),
            p4r.Update(type=INSERT, entity=to_group(resources, 1)),
            p4r.Update(type=DELETE, entity=group(resources, 1, {})),
            atomicity=p4r.WriteRequest.ROLLBACK_ON_ERROR,
        )
    assert (
        await resources_primary.read(
            p4r.Entity(action_profile_member=p4r.ActionProfileMember()),
            p4r.Entity(action_profile_group=p4r.ActionProfileGroup()),
            resources.entry("balanced"),
        )
        == kept
    )


def _departures(switch: RunningSwitch, packet: bytes) -> list[int]:
    """The ports by which a packet that arrives at port 1 leaves."""
    at_ns = switch.engine.now_us() * 1_000 + 1_000
    switch.engine.inject(1, packet, at_ns)
    return [port for _, port, _ in switch.engine.run_until(at_ns)]

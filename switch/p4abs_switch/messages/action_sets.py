"""One-shot programming: sets of actions without ids (P4Runtime 1.5, section 9.2.3)."""

from collections.abc import Sequence

from finsy.proto import p4r
from google.protobuf.unknown_fields import UnknownFieldSet

from p4abs_switch import engine_types
from p4abs_switch.messages import weights
from p4abs_switch.program.objects import Table
from p4abs_switch.status import Code, RequestError

_Set = p4r.ActionProfileActionSet


def one_shot(
    table: Table, message: p4r.ActionProfileActionSet, calls: Sequence[tuple[str, list[bytes]]]
) -> engine_types.Action:
    """The engine's action of a set, whose actions have been translated to `calls`.

    Raises RequestError INVALID_ARGUMENT for weights that the selector does not allow and
    UNIMPLEMENTED for a selection of its own.
    """
    assert table.profile is not None
    _check_selection(table, message)
    given = [item.weight for item in message.action_profile_actions]
    weights.check_members(table.profile, given)
    weights.check_size(table.profile, given)
    watched = [
        weights.watch_port(table.profile, table.what, item, item.WhichOneof("watch_kind"))
        for item in message.action_profile_actions
    ]
    in_engine = weights.to_engine(table.profile, given)
    return (
        "one_shot",
        [
            (name, arguments, weight, port)
            for (name, arguments), weight, port in zip(calls, in_engine, watched, strict=True)
        ],
    )


def message(
    table: Table, calls: Sequence[p4r.Action], members: Sequence[tuple[int, int | None]]
) -> p4r.ActionProfileActionSet:
    """The message of a set: its actions with their weights and watched ports."""
    assert table.profile is not None
    chosen = p4r.ActionProfileActionSet()
    for call, (weight, port) in zip(calls, members, strict=True):
        item = chosen.action_profile_actions.add(
            action=call, weight=weights.from_engine(table.profile, weight)
        )
        weights.set_watch_port(table.profile, item, port)
    return chosen


def _check_selection(table: Table, message: p4r.ActionProfileActionSet) -> None:
    assert table.profile is not None
    own_semantics = _Set.SUM_OF_MEMBERS if table.profile.counts_members else _Set.SUM_OF_WEIGHTS
    modes = (_Set.DEFAULT_MODE_DETERMINED_BY_ACTION_SELECTOR, _Set.HASH)
    semantics = (_Set.DEFAULT_SIZE_DETERMINED_BY_ACTION_SELECTOR, own_semantics)
    if message.action_selection_mode not in modes or message.size_semantics not in semantics:
        raise RequestError(
            Code.UNIMPLEMENTED,
            f"{table.what} selects by hash and counts as its selector does; leave"
            " action_selection_mode and size_semantics unset",
        )
    if len(UnknownFieldSet(message)):
        raise RequestError(
            Code.UNIMPLEMENTED,
            f"{table.what}: its action set has a field of a later P4Runtime than 1.5, such as"
            " group_action; leave it unset",
        )

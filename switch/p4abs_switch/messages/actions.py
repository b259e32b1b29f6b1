"""Actions of table entries between messages and the engine (P4Runtime 1.5, section 9.1.2)."""

from collections.abc import Iterable, Sequence

from finsy.proto import p4r

from p4abs_switch import bytestring, engine_types
from p4abs_switch.messages import action_sets, values
from p4abs_switch.program.objects import Action, Table, TableAction
from p4abs_switch.status import Code, RequestError, invalid


def in_entry(table: Table, message: p4r.TableAction) -> engine_types.Action:
    """What an ordinary entry does.

    Raises RequestError INVALID_ARGUMENT, OUT_OF_RANGE for an argument that does not fit, and
    PERMISSION_DENIED for an action that only the default entry may use.
    """
    given = message.WhichOneof("type")
    _check_kind(table, given)
    match given:
        case "action_profile_member_id":
            return ("member", _nonzero(table, "member", message.action_profile_member_id))
        case "action_profile_group_id":
            return ("group", _nonzero(table, "group", message.action_profile_group_id))
        case "action_profile_action_set":
            chosen = message.action_profile_action_set
            actions = [item.action for item in chosen.action_profile_actions]
            return action_sets.one_shot(table, chosen, [_in_entry(table, a) for a in actions])
        case _:
            return ("action", *_in_entry(table, message.action))


def as_default(table: Table, message: p4r.TableAction) -> engine_types.Action:
    """What the default entry does; as in_entry(), for actions that only entries may use."""
    if message.WhichOneof("type") != "action":
        raise invalid(f"the default entry of {table.what} takes an action")
    chosen = _chosen(table, message.action)
    if not chosen.as_default:
        raise RequestError(
            Code.PERMISSION_DENIED,
            f"action {chosen.action.name} is @tableonly in {table.what}",
        )
    return ("action", chosen.action.name, arguments(chosen.action, message.action))


def message(table: Table, reported: engine_types.Action) -> p4r.TableAction:
    """The message of what the engine reports that an entry of a table does."""
    match reported:
        case ("member", member_id):
            return p4r.TableAction(action_profile_member_id=member_id)
        case ("group", group_id):
            return p4r.TableAction(action_profile_group_id=group_id)
        case ("one_shot", members):
            return p4r.TableAction(
                action_profile_action_set=action_sets.message(
                    table,
                    [_message(table, name, arguments) for name, arguments, _, _ in members],
                    [(weight, port) for _, _, weight, port in members],
                )
            )
        case ("action", name, arguments):
            return p4r.TableAction(action=_message(table, name, arguments))


def arguments(action: Action, message: p4r.Action) -> list[bytes]:
    """The arguments in declaration order. Raises RequestError unless each is given once."""
    given = {parameter.param_id: parameter.value for parameter in message.params}
    expected = [parameter.id for parameter in action.parameters]
    if sorted(parameter.param_id for parameter in message.params) != sorted(expected):
        names = ", ".join(f"{p.id} ({p.name})" for p in action.parameters) or "none"
        raise invalid(
            f"action {action.name} takes each of these parameters once: {names};"
            f" given: {', '.join(str(p.param_id) for p in message.params) or 'none'}"
        )
    return [
        bytestring.encode(values.decode(given[p.id], p, f"parameter {p.name} of {action.name}"))
        for p in action.parameters
    ]


def call_message(action: Action, reported: Sequence[bytes]) -> p4r.Action:
    """The message of an action with its arguments."""
    return p4r.Action(
        action_id=action.id,
        params=[
            p4r.Action.Param(
                param_id=parameter.id, value=values.encode(int.from_bytes(value, "big"), parameter)
            )
            for parameter, value in zip(action.parameters, reported, strict=True)
        ],
    )


def _check_kind(table: Table, given: str | None) -> None:
    if table.profile is None:
        valid = ["action"]
    elif table.profile.has_selector:
        valid = [
            "action_profile_member_id",
            "action_profile_group_id",
            "action_profile_action_set",
        ]
    else:
        valid = ["action_profile_member_id"]
    if given not in valid:
        raise invalid(f"{table.what} takes {_listed(valid)}, not {given or 'an empty action'}")


def _nonzero(table: Table, kind: str, number: int) -> int:
    if number == 0:
        raise invalid(f"{table.what}: 0 is no {kind} id; valid: 1 to 2^32 - 1")
    return number


def _in_entry(table: Table, message: p4r.Action) -> tuple[str, list[bytes]]:
    chosen = _chosen(table, message)
    if not chosen.in_entries:
        raise RequestError(
            Code.PERMISSION_DENIED,
            f"action {chosen.action.name} is @defaultonly in {table.what}",
        )
    return chosen.action.name, arguments(chosen.action, message)


def _message(table: Table, name: str, reported: Sequence[bytes]) -> p4r.Action:
    action = next(item.action for item in table.actions.values() if item.action.name == name)
    return call_message(action, reported)


def _chosen(table: Table, message: p4r.Action) -> TableAction:
    chosen = table.actions.get(message.action_id)
    if chosen is None:
        valid = ", ".join(f"{key:#010x} ({a.action.name})" for key, a in table.actions.items())
        raise invalid(
            f"{table.what} has no action {message.action_id:#010x}; valid: {valid or 'none'}"
        )
    return chosen


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"an {name}" for name in names)

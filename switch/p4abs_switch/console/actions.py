"""Actions with their parameters as text."""

from collections.abc import Callable, Sequence

from p4abs_switch.console.values import number_in, shortest, with_colons
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.actions import build, check_count, data_of, signature
from p4abs_switch.runtime.names import Names


def action_of(declared: p4i.Action, texts: Sequence[str]) -> p4r.Action:
    """An action with its parameters in their order. Raises InputError."""
    check_count(declared, texts)
    pairs = zip(declared.params, texts, strict=True)
    of = f"of action {declared.preamble.name}"
    data = (number_in(text, each.bitwidth, f"parameter {each.name} {of}") for each, text in pairs)
    return build(declared, [*data])


def line(action: p4i.Action) -> str:
    """An action, as `show_actions` shows it."""
    return f"{action.preamble.name:30} [{signature(action)}]"


def text(names: Names, action: p4r.Action) -> str:
    """An action of an entry, as `table_dump` shows it."""
    declared = names.action_of_id(action.action_id)
    shown = ", ".join(_parameters(declared, action, shortest))
    return f"Action entry: {declared.preamble.name} - {shown}"


def echo(names: Names, name: str, action: p4r.Action) -> str:
    """An action that is given to an entry, by the name that the user has for it."""
    data = "\t".join(_parameters(names.action_of_id(action.action_id), action, with_colons))
    return f"{'action:':20} {name}\n{'runtime data:':20} {data}"


def table_action_text(names: Names, action: p4r.TableAction) -> str:
    """What an entry leads to: an action, a member or a group, by their handles."""
    match action.WhichOneof("type"):
        case "action":
            return text(names, action.action)
        case "action_profile_member_id":
            return f"Index: member({action.action_profile_member_id - 1})"
        case "action_profile_group_id":
            return f"Index: group({action.action_profile_group_id - 1})"
        case "action_profile_action_set":
            actions = action.action_profile_action_set.action_profile_actions
            return "; ".join(text(names, each.action) for each in actions)
        case _:
            return "EMPTY"


def _parameters(
    declared: p4i.Action, action: p4r.Action, digits: Callable[[int, int], str]
) -> list[str]:
    pairs = zip(data_of(declared, action), declared.params, strict=True)
    return [digits(value, each.bitwidth) for value, each in pairs]

"""Actions with their parameters as text."""

from collections.abc import Callable, Iterator, Sequence

from finsy.proto import p4i, p4r

from p4abs_switch.console.error import CommandError
from p4abs_switch.console.names import Names
from p4abs_switch.console.values import encode, shortest, with_colons


def build(action: p4i.Action, texts: Sequence[str]) -> p4r.Action:
    """An action with its parameters in their order. Raises UserError."""
    name = action.preamble.name
    if len(texts) != len(action.params):
        valid = signature(action) or "none"
        raise CommandError(f"action {name}: {len(texts)} parameters; valid: {valid}")
    message = p4r.Action(action_id=action.preamble.id)
    for parameter, text in zip(action.params, texts, strict=True):
        what = f"parameter {parameter.name} of action {name}"
        message.params.add(param_id=parameter.id, value=encode(text, parameter.bitwidth, what))
    return message


def signature(action: p4i.Action) -> str:
    """The parameters, as `show_actions` names them."""
    return ",\t".join(f"{each.name}({each.bitwidth})" for each in action.params)


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
    declared: p4i.Action, action: p4r.Action, digits: Callable[[bytes, int], str]
) -> Iterator[str]:
    values = {parameter.param_id: parameter.value for parameter in action.params}
    return (digits(values.get(each.id, b""), each.bitwidth) for each in declared.params)

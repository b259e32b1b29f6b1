"""Actions of table entries between messages and the engine (P4Runtime 1.4, section 9.1.2)."""

from finsy.proto import p4r

from p4abs_switch import _engine, bytestring
from p4abs_switch.p4info import Action, Table, TableAction
from p4abs_switch.status import Code, RequestError


def in_entry(table: Table, message: p4r.TableAction) -> tuple[str, list[bytes]]:
    """The action of an ordinary entry: its name and its arguments in declaration order.

    Raises RequestError INVALID_ARGUMENT, OUT_OF_RANGE for an argument that does not fit, and
    PERMISSION_DENIED for an action that only the default entry may use.
    """
    chosen = _chosen(table, message)
    if not chosen.in_entries:
        raise RequestError(
            Code.PERMISSION_DENIED,
            f"action {chosen.action.name} is @defaultonly in table {table.name}",
        )
    return chosen.action.name, _arguments(chosen.action, message.action)


def as_default(table: Table, message: p4r.TableAction) -> tuple[str, list[bytes]]:
    """The action of the default entry; as in_entry(), for actions that only entries may use."""
    chosen = _chosen(table, message)
    if not chosen.as_default:
        raise RequestError(
            Code.PERMISSION_DENIED,
            f"action {chosen.action.name} is @tableonly in table {table.name}",
        )
    return chosen.action.name, _arguments(chosen.action, message.action)


def message(table: Table, reported: "_engine.Action") -> p4r.TableAction:
    """The message of what the engine reports that an entry of a table does."""
    if reported[0] != "action":
        raise RequestError(Code.UNIMPLEMENTED, f"table {table.name}: action profiles")
    _, name, arguments = reported
    action = next(item.action for item in table.actions.values() if item.action.name == name)
    return p4r.TableAction(
        action=p4r.Action(
            action_id=action.id,
            params=[
                p4r.Action.Param(param_id=parameter.id, value=bytestring.canonical(argument))
                for parameter, argument in zip(action.parameters, arguments, strict=True)
            ],
        )
    )


def _chosen(table: Table, message: p4r.TableAction) -> TableAction:
    given = message.WhichOneof("type")
    if given != "action":
        raise RequestError(
            Code.INVALID_ARGUMENT,
            f"table {table.name} takes an action, not {given or 'an empty one'}",
        )
    chosen = table.actions.get(message.action.action_id)
    if chosen is None:
        valid = ", ".join(f"{key:#010x} ({a.action.name})" for key, a in table.actions.items())
        raise RequestError(
            Code.INVALID_ARGUMENT,
            f"table {table.name} has no action {message.action.action_id:#010x}; valid: {valid}",
        )
    return chosen


def _arguments(action: Action, message: p4r.Action) -> list[bytes]:
    given = {parameter.param_id: parameter.value for parameter in message.params}
    expected = [parameter.id for parameter in action.parameters]
    if sorted(parameter.param_id for parameter in message.params) != sorted(expected):
        names = ", ".join(f"{p.id} ({p.name})" for p in action.parameters) or "none"
        raise RequestError(
            Code.INVALID_ARGUMENT,
            f"action {action.name} takes each of these parameters once: {names};"
            f" given: {', '.join(str(p.param_id) for p in message.params) or 'none'}",
        )
    return [
        bytestring.encode(
            bytestring.decode(given[p.id], p.width_bits, f"parameter {p.name} of {action.name}")
        )
        for p in action.parameters
    ]

"""Actions with their data, between BMv2's calls and the engine."""

from collections.abc import Iterable, Sequence

from p4abs_switch import bytestring
from p4abs_switch.bmv2.names import Action
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.refusals import TableCode


def arguments_of(actions: Iterable[Action], name: str, data: Sequence[bytes]) -> list[bytes]:
    """The engine's arguments of one of the actions.

    Raises Refusal INVALID_ACTION_NAME, BAD_ACTION_DATA.
    """
    known = {action.name: action for action in actions}
    if name not in known:
        valid = ", ".join(known) or "none"
        raise Refusal(TableCode.INVALID_ACTION_NAME, f"no action {name}; valid: {valid}")
    widths = known[name].parameters
    if len(data) != len(widths):
        raise Refusal(TableCode.BAD_ACTION_DATA, f"{len(data)} values; valid: {len(widths)}")
    for (parameter, width_bits), value in zip(widths.items(), data, strict=True):
        if int.from_bytes(value, "big") >> width_bits:
            reason = f"{parameter} is {value.hex()}; valid: up to {width_bits} bits"
            raise Refusal(TableCode.BAD_ACTION_DATA, reason)
    return [bytestring.canonical(value) for value in data]


def data_of(arguments: Iterable[bytes]) -> list[bytes]:
    """Arguments as BMv2 tells them: the shortest byte strings."""
    return [bytestring.canonical(value) for value in arguments]

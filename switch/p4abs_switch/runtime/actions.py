"""Actions with their data, in numbers."""

from collections.abc import Sequence

from p4abs_switch.bytestring import encode
from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4i, p4r


def build(action: p4i.Action, data: Sequence[int]) -> p4r.Action:
    """An action with its parameters in their order. Raises InputError."""
    check_count(action, data)
    built = p4r.Action(action_id=action.preamble.id)
    for parameter, value in zip(action.params, data, strict=True):
        built.params.add(param_id=parameter.id, value=encode(value))
    return built


def check_count(action: p4i.Action, data: Sequence[object]) -> None:
    """Raises InputError where there is more data, or less, than parameters."""
    if len(data) != len(action.params):
        wrong = wrong_number(len(data), "parameter", signature(action))
        raise InputError(f"action {action.preamble.name}: {wrong}")


def data_of(declared: p4i.Action, action: p4r.Action) -> list[int]:
    """The parameters in their order."""
    values = {parameter.param_id: parameter.value for parameter in action.params}
    return [int.from_bytes(values.get(each.id, b""), "big") for each in declared.params]


def signature(action: p4i.Action) -> str:
    """The parameters, as `show_actions` names them."""
    return ",\t".join(f"{each.name}({each.bitwidth})" for each in action.params)

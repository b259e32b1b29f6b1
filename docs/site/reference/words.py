"""The words that are shown for states, bounds and stalls, and what commands end with."""

from collections.abc import Iterable, Mapping
from enum import Enum

from p4abs.cli import exit_status
from p4abs.control import Stall
from p4abs.policies import Binding
from p4abs.session import SwitchState
from p4abs.states import PortState

from docs.site.reference.described import described
from docs.site.reference.markdown import code, table


def port_states() -> str:
    texts = _texts(PortState)
    return table(("state", "meaning"), ((each.text, texts[each.name]) for each in PortState))


def switch_states() -> str:
    texts = _texts(SwitchState)
    rows = ((code(each), code(each.name.lower()), texts[each.name]) for each in SwitchState)
    return table(("state", "in `p4abs_switch_state`", "meaning"), rows)


def bindings() -> str:
    return _words(Binding, "binding")


def stalls() -> str:
    return _words(Stall, "reason")


def exit_statuses() -> str:
    values = {exit_status.FAILURE: "FAILURE", exit_status.USER_ERROR: "USER_ERROR"}
    values[exit_status.INTERRUPTED] = "INTERRUPTED"
    texts = described(exit_status, values.values())
    rows = [("0", "The command did what it was asked for.")]
    rows += [(str(value), texts[name]) for value, name in values.items()]
    return table(("status", "meaning"), rows)


def _words(kind: type[Enum], head: str) -> str:
    texts = _texts(kind)
    return table((head, "meaning"), ((code(each.value), texts[each.name]) for each in kind))


def _texts(kind: type[Enum]) -> Mapping[str, str]:
    names: Iterable[str] = (each.name for each in kind)
    return described(kind, names)

"""What all handlers are, and the arguments by which calls name objects of the program."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from enum import IntEnum
from typing import Annotated, ClassVar, TypeAlias

from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.handles import ExpiredHandle, UnknownHandle
from p4abs_switch.runtime.names import AnyObject, listed
from p4abs_switch.runtime.tables import NoSuchEntry
from p4abs_switch.thrift.protocol.service import Handler, Refusal
from p4abs_switch.thrift.protocol.shapes import Meaning, Text
from p4abs_switch.thrift.refusals import (
    Codes,
    CounterCode,
    MeterCode,
    RegisterCode,
    TableCode,
    ValueSetCode,
    refusals,
)
from p4abs_switch.thrift.target import Loaded, Target

OF_ENTRIES = Codes(
    other=TableCode.ERROR,
    missing=TableCode.INVALID_HANDLE,
    inputs={
        ExpiredHandle: TableCode.EXPIRED_HANDLE,
        UnknownHandle: TableCode.INVALID_HANDLE,
        NoSuchEntry: TableCode.INVALID_HANDLE,
    },
)
"""For calls about entries of tables."""


class OfTarget(Handler):
    """What answers calls about a switch.

    codes: for what cannot be done; None: nothing is refused.
    """

    codes: ClassVar[Codes | None] = None

    def __init__(self, target: Target) -> None:
        self.target: Target = target

    def refusals(self) -> AbstractContextManager[None]:
        return nullcontext() if self.codes is None else refusals(self.codes)

    @property
    def _loaded(self) -> Loaded:
        """What belongs to the running program."""
        return self.target.loaded


def find(kind: str, name: str, objects: Sequence[AnyObject], code: IntEnum) -> AnyObject:
    """The object of a full name. Raises Refusal with this code."""
    for each in objects:
        if each.preamble.name == name:
            return each
    raise Refusal(code, f"no {kind} {name}; valid: {listed(objects)}")


def _named(kind: str, objects: str, code: IntEnum) -> Meaning:
    def of(target: Target, name: str) -> object:
        return find(kind, name, getattr(target.loaded.names.p4info, objects), code)

    return Meaning(Text, of)


def table_of(target: Target, name: str) -> p4i.Table:
    """A table of the program. Raises Refusal."""
    tables = target.loaded.names.p4info.tables
    return find("table", name, tables, TableCode.INVALID_TABLE_NAME)


def profile_of(target: Target, name: str) -> p4i.ActionProfile:
    """Likewise an action profile."""
    profiles = target.loaded.names.p4info.action_profiles
    return find("action profile", name, profiles, TableCode.INVALID_ACTION_PROFILE_NAME)


Table: TypeAlias = Annotated[p4i.Table, Meaning(Text, table_of)]
Profile: TypeAlias = Annotated[p4i.ActionProfile, Meaning(Text, profile_of)]
Counter: TypeAlias = Annotated[
    p4i.Counter, _named("counter", "counters", CounterCode.INVALID_COUNTER_NAME)
]
Meter: TypeAlias = Annotated[p4i.Meter, _named("meter", "meters", MeterCode.INVALID_METER_NAME)]
Register: TypeAlias = Annotated[
    p4i.Register, _named("register", "registers", RegisterCode.INVALID_REGISTER_NAME)
]
ValueSet: TypeAlias = Annotated[
    p4i.ValueSet, _named("value set", "value_sets", ValueSetCode.INVALID_PARSE_VSET_NAME)
]

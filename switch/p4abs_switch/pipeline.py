"""A program in an engine, as Write and Read see it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from p4abs_switch._engine import Switch
from p4abs_switch.match import Key
from p4abs_switch.p4info import Program


@dataclass(frozen=True, slots=True)
class EntryMetadata:
    """What the controller attached to a table entry; opaque to the switch."""

    controller_metadata: int
    metadata: bytes


# A table's name, and the key and priority of an entry; () is the key of the default entry.
EntryPlace = tuple[str, Key, int]


@dataclass(slots=True)
class Pipeline:
    """An engine that holds all P4 state, and the P4Info index of the program in it.

    `entry_metadata` holds what the engine has no use for but reads must bring back (section 9.1).
    """

    switch: Switch
    program: Program
    entry_metadata: dict[EntryPlace, EntryMetadata] = field(default_factory=dict)


@contextmanager
def held(switch: Switch) -> Iterator[None]:
    """No packet is processed inside the `with`: what is written there is written at one instant."""
    switch.hold()
    try:
        yield
    finally:
        switch.release()

"""A program in an engine, as Write and Read see it."""

from dataclasses import dataclass, field

from p4abs_switch._engine import Switch
from p4abs_switch.match import Key
from p4abs_switch.p4info import Program


@dataclass(frozen=True, slots=True)
class EntryMetadata:
    """What the controller attached to a table entry; opaque to the switch."""

    controller_metadata: int = 0
    metadata: bytes = b""


@dataclass(slots=True)
class Pipeline:
    """An engine that holds all P4 state, and the P4Info index of the program in it.

    `entry_metadata` holds, by table name, key and priority, what the engine has no use for but
    reads must bring back (section 9.1).
    """

    switch: Switch
    program: Program
    entry_metadata: dict[tuple[str, Key, int], EntryMetadata] = field(default_factory=dict)

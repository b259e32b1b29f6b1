"""A program in an engine, as Write and Read see it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from finsy.proto import p4r

from p4abs_switch._engine import Switch
from p4abs_switch.engine_types import Match
from p4abs_switch.program.objects import Program

Key: TypeAlias = tuple[Match, ...]
"""The engine's key of an entry: one match per key field, in order, as canonical byte strings."""

EntryPlace: TypeAlias = "tuple[str, Key, int]"
"""A table's name, and the key and priority of an entry; () is the key of the default entry."""


@dataclass(frozen=True, slots=True)
class EntryMetadata:
    """What the controller attached to a table entry, and how it wrote a one-shot action set."""

    controller_metadata: int = 0
    metadata: bytes = b""
    action_selection_mode: p4r.ActionProfileActionSet.ActionSelectionMode.ValueType = (
        p4r.ActionProfileActionSet.DEFAULT_MODE_DETERMINED_BY_ACTION_SELECTOR
    )
    size_semantics: p4r.ActionProfileActionSet.SizeSemantics.ValueType = (
        p4r.ActionProfileActionSet.DEFAULT_SIZE_DETERMINED_BY_ACTION_SELECTOR
    )


@dataclass(slots=True)
class LoadedProgram:
    """An engine that holds all P4 state, and the P4Info index of the program in it.

    `entry_metadata` holds what the engine has no use for but reads must bring back (section 9.1);
    `digest_configs` is how enabled digests are sent, by their ids (section 9.8), `group_sizes` the
    max_size of a selector's groups, `group_metadata` what is attached to multicast groups.
    """

    switch: Switch
    program: Program
    entry_metadata: dict[EntryPlace, EntryMetadata] = field(default_factory=dict)
    digest_configs: dict[int, p4r.DigestEntry.Config] = field(default_factory=dict)
    group_sizes: dict[tuple[str, int], int] = field(default_factory=dict)
    group_metadata: dict[int, bytes] = field(default_factory=dict)


@contextmanager
def held(switch: Switch) -> Iterator[None]:
    """No packet is processed inside the `with`: what is written there is written at one instant."""
    switch.hold()
    try:
        yield
    finally:
        switch.release()

"""The switch as the handlers see it: by the names in the JSON of its running program."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, TypeVar

from p4abs_switch._engine import Device, Switch, TableEntry
from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.bmv2.names import NO_NAMES, Array, Names, Profile, Table, read_names
from p4abs_switch.bmv2.replication import Replication
from p4abs_switch.thrift.handles import Handles, Place
from p4abs_switch.thrift.keys import canonical
from p4abs_switch.thrift.protocol.service import Refusal, Unserved
from p4abs_switch.thrift.refusals import TableCode
from p4abs_switch.thrift.structures import P4RuntimeServer


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_Object = TypeVar("_Object", bound=_Named)


@dataclass(frozen=True, slots=True)
class Outside:
    """What handlers need of the process around them.

    notifications: where messages about digests are published; None: nowhere.
    p4runtime: where the same switch serves P4Runtime.
    run: replaces the program, without a P4Info; `reset`: starts the running one again.
    add_port: number, interface and whether it is to be captured. All three raise EngineError and
    RequestRefused.
    """

    device_id: int
    thrift_port: int
    notifications: str | None
    p4runtime: P4RuntimeServer
    run: Callable[[bytes], None]
    reset: Callable[[], None]
    add_port: Callable[[int, str, bool], Awaitable[None]]


@dataclass(slots=True)
class _Loaded:
    """What belongs to one load of a program."""

    number: int
    names: Names
    replication: Replication
    handles: dict[str, Handles] = field(default_factory=dict)


class Target:
    """A switch and its running program. What is looked up by name raises Refusal."""

    def __init__(self, engine: Switch, device: Device, outside: Outside) -> None:
        self.engine = engine
        self.outside = outside
        self._device = device
        self._last: _Loaded | None = None

    @property
    def json(self) -> bytes:
        """The running program; empty: none has been loaded."""
        return self._device.json

    @property
    def loads(self) -> int:
        """How often a program has been loaded."""
        return self._device.loads

    @property
    def names(self) -> Names:
        """The program's objects."""
        return self._loaded.names

    @property
    def replication(self) -> Replication:
        """Multicast nodes and mirroring sessions since the program was loaded."""
        return self._loaded.replication

    def table(self, name: str) -> Table:
        return find("table", name, self.names.tables, TableCode.INVALID_TABLE_NAME)

    def profile(self, name: str) -> Profile:
        code = TableCode.INVALID_ACTION_PROFILE_NAME
        return find("action profile", name, self.names.profiles, code)

    def handles(self, table: Table) -> Handles:
        """The numbers of a table's entries."""
        handles = self._loaded.handles
        if table.name not in handles:
            handles[table.name] = Handles()
            handles[table.name].adopt(self.entries(table))
        return handles[table.name]

    def forget_handles(self, table: Table) -> None:
        """Numbers a table's entries anew, as BMv2 does where all have been removed."""
        self._loaded.handles.pop(table.name, None)

    def entries(self, table: Table) -> dict[Place, TableEntry]:
        """A table's entries by their places."""
        entries = self.engine.table_entries(table.name)
        return {(canonical(table, entry.key), entry.priority): entry for entry in entries}

    @property
    def _loaded(self) -> _Loaded:
        if self._last is None or self._last.number != self.loads:
            names = self._read_names() if self.json else NO_NAMES
            self._last = _Loaded(self.loads, names, Replication(self.engine))
        return self._last

    def _read_names(self) -> Names:
        try:
            return read_names(self.json, {})
        except InputError as error:
            raise Unserved(f"the program {error}") from None


def find(kind: str, name: str, objects: Iterable[_Object], code: IntEnum) -> _Object:
    """The object of a full name. Raises Refusal with this code."""
    known = {each.name: each for each in objects}
    if name not in known:
        raise Refusal(code, f"no {kind} {name}; valid: {', '.join(known) or 'none'}")
    return known[name]


def cell(array: Array, index: int, code: IntEnum) -> tuple[str, int]:
    """An array's name and an index in it. Raises Refusal with this code."""
    if not 0 <= index < array.size:
        raise Refusal(code, f"{array.name} has no cell {index}; valid: 0 to {array.size - 1}")
    return array.name, index

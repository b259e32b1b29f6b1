"""The switch as the handlers see it: by the names in the JSON of its running program."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from p4abs_switch import _engine
from p4abs_switch._engine import Device, RequestRefused
from p4abs_switch.bmv2.document import Document, LearnList, learn_lists, parsed, tables_of
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.local import Local
from p4abs_switch.runtime.names import Names
from p4abs_switch.runtime.objects import Objects
from p4abs_switch.runtime.switch import Switch
from p4abs_switch.thrift.protocol.service import Unserved
from p4abs_switch.thrift.structures import P4RuntimeServer


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


class _NoProgram(Switch):
    """What there is before the first."""

    names = Names(p4i.P4Info())

    def fetch(self, wanted: p4r.Entity) -> Sequence[p4r.Entity]:
        return ()

    def write(self, update: p4r.Update) -> None:
        raise InputError("no program is loaded")


class Loaded(Objects):
    """What belongs to one load of a program, by the names in its JSON. Raises InputError where it
    tells of no P4Info."""

    def __init__(self, number: int, engine: _engine.Switch, json: bytes) -> None:
        self.number = number
        self._json = json
        self.local = Local.of(engine, json) if json else None
        super().__init__(self.local or _NoProgram())

    @cached_property
    def document(self) -> Document:
        """The program; empty: there is none."""
        return parsed(self._json) if self._json else {}

    @cached_property
    def learn_lists(self) -> list[LearnList]:
        return learn_lists(self.document) if self._json else []

    @cached_property
    def table_numbers(self) -> dict[str, int]:
        """The ids of tables in BMv2's messages, by name."""
        return {table["name"]: table["id"] for table in tables_of(self.document)}


class Target:
    """A switch and its running program."""

    def __init__(self, engine: _engine.Switch, device: Device, outside: Outside) -> None:
        self.engine = engine
        self.outside = outside
        self._device = device
        self._last: Loaded | None = None

    @property
    def json(self) -> bytes:
        """The running program; empty: none has been loaded."""
        return self._device.json

    @property
    def loads(self) -> int:
        """How often a program has been loaded."""
        return self._device.loads

    @property
    def loaded(self) -> Loaded:
        """The running program's objects. Raises Unserved."""
        if self._last is None or self._last.number != self.loads:
            try:
                self._last = Loaded(self.loads, self.engine, self.json)
            except InputError as error:
                raise Unserved(f"the program {error}") from None
            except RequestRefused as error:
                raise Unserved(f"the program: {error.args[1]}") from None
        return self._last

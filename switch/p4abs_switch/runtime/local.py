"""A program that runs in this process."""

from collections.abc import Sequence
from functools import lru_cache

from p4abs_switch import _engine
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.names import Names
from p4abs_switch.runtime.switch import Switch


class Local(Switch):
    """The running program of an engine, for as long as it is not replaced, without an election.

    What is refused is a RequestRefused.
    """

    def __init__(self, engine: _engine.Switch, p4info: p4i.P4Info) -> None:
        self.names = Names(p4info)
        self.runtime = _engine.Runtime(engine, p4info.SerializeToString())

    @classmethod
    def of(cls, engine: _engine.Switch, json: bytes) -> "Local":
        """By what the program itself tells. Raises InputError, too."""
        return cls(engine, _derived(json))

    def fetch(self, wanted: p4r.Entity) -> Sequence[p4r.Entity]:
        found = self.runtime.read(wanted.SerializeToString())
        return p4r.ReadResponse.FromString(found).entities

    def write(self, update: p4r.Update) -> None:
        self.runtime.write(update.SerializeToString())


@lru_cache(maxsize=8)
def _derived(json: bytes) -> p4i.P4Info:
    """Once for all engines that run the program; nobody changes it."""
    return derive(json)

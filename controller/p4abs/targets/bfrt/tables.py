"""The tables of p4src/tna as bf-rt.json names them, and what a program's own tables lack of it."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from p4abs.access.capabilities import Capabilities
from p4abs.targets.tofino import offer, rates
from p4abs.targets.tofino.chip import CHIPS, port_hindrance
from p4abs.targets.tofino.program import ForeignPipeline, listed

_PIPE = "pipe.AbsIngress"
_CONTROL = "AbsIngress"

DRAIN_RATE = f"{_PIPE}.virtual_queue.drain_rate.{rates.TABLE}"
PORT_KEY = "port"
INDEX_KEY = "$REGISTER_INDEX"
# Of the SDE, not of a program.
PORTS = "$PORT"
PORTS_KEY = "$DEV_PORT"


@dataclass(frozen=True)
class Register:
    """A register's table, and the names of its data fields by what they are here."""

    table: str
    fields: Mapping[str, str]


def _register(path: str, **names: str) -> Register:
    return Register(f"{_PIPE}.{path}", {key: f"{_CONTROL}.{path}.{f}" for key, f in names.items()})


LIMIT = _register("queue_limit_bytes", limit="f1")
# A register's element is read at once: a count's words belong together.
REGISTERS = (
    _register("virtual_queue.last_packet_65536ns", last_packet_65536ns="f1"),
    _register("virtual_queue.clock_bytes", clock_bytes="f1"),
    _register("virtual_queue.backlog", backlog="bytes"),
    _register("wraps_of_admitted.wraps", admitted_low="previous", admitted_high="wraps"),
    _register("wraps_of_dropped.wraps", dropped_low="previous", dropped_high="wraps"),
    LIMIT,
)


@dataclass(frozen=True)
class BfrtProgram:
    """The switch's program, made by of(), which sees that everything is there.

    actions: those of the table drain_rate by their rates in bit/s.
    ports: those that the switch has.
    """

    info: Any
    actions: Mapping[int, str]
    ports: Collection[int] = ()
    cookie: int = 0

    @classmethod
    def of(cls, info: Any) -> "BfrtProgram":
        """Of a switch whose ports are not known yet. Raises ForeignPipeline."""
        name = info.p4_name_get()
        if missing := next(_missing(info), None):
            tables = sorted(each for each in info.table_name_list_get() if "$" not in each)
            raise ForeignPipeline(
                f"the switch's program {name} is not ours: "
                f"with {listed(tables)}, it lacks {missing}"
            )
        table = info.table_get(DRAIN_RATE)
        return cls(info, rates.actions_by_rate(table.info.action_name_list_get()))

    @property
    def name(self) -> str:
        """As the switch calls it."""
        return str(self.info.p4_name_get())

    def capabilities(self) -> Capabilities:
        """See TargetProgram."""
        return offer.capabilities(self.port_hindrance, self.actions)

    def port_hindrance(self, number: int) -> str:
        """Why a port cannot be controlled; empty: it can."""
        if hindrance := port_hindrance(CHIPS.get(self.name, "Tofino"), number):
            return hindrance
        if number in self.ports:
            return ""
        known = ", ".join(map(str, sorted(self.ports))) or "none"
        return f"the switch has no such port; those that have been added: {known}"


def _missing(info: Any) -> Iterator[str]:
    names = set(info.table_name_list_get())
    for register in REGISTERS:
        if register.table not in names:
            yield f"the register {register.table}"
            return
        fields = info.table_get(register.table).info.data_field_name_list_get()
        for field in register.fields.values():
            if field not in fields:
                yield f"the field {field} of {register.table}"
    if DRAIN_RATE not in names:
        yield f"the table {DRAIN_RATE}"

"""The tables of p4src/tna as bf-rt.json names them, and which of them a program lacks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from p4abs.access.capabilities import Capabilities
from p4abs.targets.tofino import offer, rates
from p4abs.targets.tofino.chip import CHIPS, port_unsupported
from p4abs.targets.tofino.program import ForeignPipeline, listed
from p4abs.targets.tofino.words import COUNTS, FLOWS, Words

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


@dataclass(frozen=True)
class Layout:
    """What is used of a program with one kind of queue.

    A register's element is read at once: a count's words belong together. Of `limit` the one field
    is called so. `ports` is the table that makes a queue a port's. A program may leave out the
    registers of `flows`.
    """

    registers: Sequence[Register]
    limit: Register
    ports: str
    flows: Sequence[Register] = ()

    def of(self, info: Any) -> "Layout":
        """The layout of a program: `registers` have those of flows if the program has them."""
        has_flows = {each.table for each in self.flows} <= set(info.table_name_list_get())
        registers = (*self.registers, *self.flows) if has_flows else self.registers
        return replace(self, registers=registers, flows=())


def register(control: str, path: str, **names: str) -> Register:
    """One in the pipe's control; names its fields."""
    fields = {key: f"{control}.{path}.{field}" for key, field in names.items()}
    return Register(f"pipe.{control}.{path}", fields)


def count(control: str, path: str, counter: Words) -> Register:
    """One of p4src/tna/wraps.p4, with its two words."""
    high, low = counter.fields
    return register(control, f"{path}{counter.wraps}.wraps", **{low: "previous", high: "wraps"})


_VIRTUAL = "AbsIngress"
_LIMIT = register(_VIRTUAL, "queue_limit_bytes", limit="f1")
VIRTUAL_QUEUE = Layout(
    registers=(
        register(_VIRTUAL, "virtual_queue.last_packet_65536ns", last_packet_65536ns="f1"),
        register(_VIRTUAL, "virtual_queue.clock_bytes", clock_bytes="f1"),
        register(_VIRTUAL, "virtual_queue.backlog", backlog="bytes"),
        *(count(_VIRTUAL, "", each) for each in COUNTS.values()),
        _LIMIT,
    ),
    limit=_LIMIT,
    ports=f"pipe.{_VIRTUAL}.virtual_queue.drain_rate.{rates.TABLE}",
    flows=tuple(count(_VIRTUAL, "", each) for each in FLOWS.values()),
)


@dataclass(frozen=True)
class BfrtProgram:
    """The switch's program, made by of(), which sees that everything is there.

    actions: those of the table drain_rate by their rates in bit/s; none without that table.
    ports: those that the switch has.
    """

    info: Any
    layout: Layout
    actions: Mapping[int, str]
    ports: Collection[int] = ()
    cookie: int = 0

    @classmethod
    def of(cls, info: Any, layout: Layout) -> "BfrtProgram":
        """Of a switch whose ports are not known yet. Raises ForeignPipeline."""
        name, layout = info.p4_name_get(), layout.of(info)
        if missing := next(_missing(info, layout), None):
            tables = sorted(each for each in info.table_name_list_get() if "$" not in each)
            raise ForeignPipeline(
                f"the switch's program {name} is not one of p4src/tna: "
                f"it lacks {missing}; it has {listed(tables)}"
            )
        table = info.table_get(layout.ports)
        return cls(info, layout, rates.actions_by_rate(table.info.action_name_list_get()))

    @property
    def name(self) -> str:
        return str(self.info.p4_name_get())

    def capabilities(self) -> Capabilities:
        return offer.of_virtual_queue(self.port_unsupported, self.actions)

    def port_unsupported(self, number: int) -> str:
        """Why a port cannot be controlled; empty: it can."""
        if unsupported := port_unsupported(CHIPS.get(self.name, "Tofino"), number):
            return unsupported
        if number in self.ports:
            return ""
        known = ", ".join(map(str, sorted(self.ports))) or "none"
        return f"the switch has no such port; those that have been added: {known}"


def _missing(info: Any, layout: Layout) -> Iterator[str]:
    names = set(info.table_name_list_get())
    for each in layout.registers:
        if each.table not in names:
            yield f"the register {each.table}"
            return
        fields = info.table_get(each.table).info.data_field_name_list_get()
        for field in each.fields.values():
            if field not in fields:
                yield f"the field {field} of {each.table}"
    if layout.ports not in names:
        yield f"the table {layout.ports}"

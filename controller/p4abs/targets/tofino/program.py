"""A program of p4src/tna by its P4Info."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Self

from finsy.proto import p4i

from p4abs.access.capabilities import Capabilities
from p4abs.access.program import MissingObjects, Pipeline
from p4abs.targets.tofino import rates
from p4abs.targets.tofino.chip import CHIPS, port_hindrance
from p4abs.targets.tofino.offer import capabilities
from p4abs.targets.tofino.records import RECORD_BITS, REQUEST_BITS

# Fields in their order with their widths in bits, as p4src/tna/headers.p4 has them.
_HEADERS = {
    "packet_out": {"sequence": 32},
    "packet_in": {"sequence": 32},
    "mailbox_request": REQUEST_BITS,
    "mailbox_record": RECORD_BITS,
}
_PORT_BITS = 9
# Of a message about a program that is another one.
_MOST_TABLES = 3


class ForeignPipeline(MissingObjects):
    """A program that is none of p4src/tna; the message says which it is, and what it lacks."""


@dataclass(frozen=True)
class RateTable:
    """The ids of the table drain_rate, and of its actions by their rates in bit/s."""

    table_id: int
    port_id: int
    action_ids: Mapping[int, int]

    def rate_bps(self, action_id: int) -> int | None:
        """The rate of an action; None: it has none."""
        rates_bps = (rate for rate, number in self.action_ids.items() if number == action_id)
        return next(rates_bps, None)


class TofinoProgram(Pipeline):
    """Made by of(), which sees that everything is there."""

    @classmethod
    def of(cls, p4info: p4i.P4Info, device_config: bytes = b"", *, whose: str) -> Self:
        """Raises ForeignPipeline, which begins with `whose`."""
        if missing := next(_missing(p4info), None):
            raise ForeignPipeline(f"{whose} is not ours: {_described(p4info)}, lacks {missing}")
        return cls(p4info, device_config)

    def capabilities(self) -> Capabilities:
        """See TargetProgram."""
        chip = CHIPS[self.p4info.pkg_info.arch]
        return capabilities(partial(port_hindrance, chip), self.rate_table.action_ids)

    @cached_property
    def rate_table(self) -> RateTable:
        """Where each port has its rate."""
        [table] = _rate_tables(self.p4info)
        names = {
            action.preamble.name: action.preamble.id
            for action in self.p4info.actions
            if any(action.preamble.id == ref.id for ref in table.action_refs)
        }
        action_ids = {
            rate_bps: names[name] for rate_bps, name in rates.actions_by_rate(names).items()
        }
        return RateTable(table.preamble.id, table.match_fields[0].id, action_ids)

    def header_ids(self, header: str) -> dict[str, int]:
        """Field names of the controller header `packet_out` or `packet_in` to metadata ids."""
        return {field.name: field.id for field in _fields(self.p4info, header)}


def listed(tables: Sequence[str]) -> str:
    """The first tables of a program, by which its user may know it."""
    more = " ..." if len(tables) > _MOST_TABLES else ""
    return f"the tables {', '.join(tables[:_MOST_TABLES]) or 'none'}{more}"


def _missing(p4info: p4i.P4Info) -> Iterator[str]:
    if p4info.pkg_info.arch not in CHIPS:
        yield f"the architecture {' or '.join(CHIPS)}"
    if len(_rate_tables(p4info)) != 1:
        yield f"the table {rates.TABLE} of ports"
    for header, widths in _HEADERS.items():
        found = {field.name: field.bitwidth for field in _fields(p4info, header)}
        for name, bits in widths.items():
            if found.get(name) != bits:
                yield f"{header}.{name} of {bits} bits"
        if [*found] != [*widths]:
            yield f"{header} of {', '.join(widths)} and nothing else, in this order"


def _described(p4info: p4i.P4Info) -> str:
    tables = listed([table.preamble.name for table in p4info.tables])
    name = p4info.pkg_info.name or "without a name"
    arch = p4info.pkg_info.arch or "an unknown architecture"
    return f"{name}, for {arch}, with {tables}"


def _rate_tables(p4info: p4i.P4Info) -> list[p4i.Table]:
    return [table for table in p4info.tables if _is_rate_table(table)]


def _is_rate_table(table: p4i.Table) -> bool:
    keys = [(field.name, field.bitwidth, field.match_type) for field in table.match_fields]
    is_named = table.preamble.name.rpartition(".")[2] == rates.TABLE
    return is_named and keys == [("port", _PORT_BITS, p4i.MatchField.EXACT)]


def _fields(p4info: p4i.P4Info, header: str) -> Iterable[p4i.ControllerPacketMetadata.Metadata]:
    for metadata in p4info.controller_packet_metadata:
        if metadata.preamble.name == header:
            return metadata.metadata
    return ()

"""The programs whose queue is a virtual one (p4src/tna/virtual_queue.p4), by their P4Info."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from finsy.proto import p4i

from p4abs.access.capabilities import Capabilities
from p4abs.targets.tofino import offer, rates
from p4abs.targets.tofino.program import TofinoProgram

_PORT_BITS = 9


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


class VirtualQueueProgram(TofinoProgram):
    """See TofinoProgram."""

    @staticmethod
    def lacking(p4info: p4i.P4Info) -> Iterator[str]:
        if len(_rate_tables(p4info)) != 1:
            yield f"the table {rates.TABLE} of ports"

    def capabilities(self) -> Capabilities:
        return offer.capabilities(self.port_unsupported, self.rate_table.action_ids)

    @cached_property
    def rate_table(self) -> RateTable:
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


def _rate_tables(p4info: p4i.P4Info) -> list[p4i.Table]:
    return [table for table in p4info.tables if _is_rate_table(table)]


def _is_rate_table(table: p4i.Table) -> bool:
    keys = [(field.name, field.bitwidth, field.match_type) for field in table.match_fields]
    is_named = table.preamble.name.rpartition(".")[2] == rates.TABLE
    return is_named and keys == [("port", _PORT_BITS, p4i.MatchField.EXACT)]

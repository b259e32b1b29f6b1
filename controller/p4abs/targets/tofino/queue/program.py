"""The program whose queue is the traffic manager's own, by its P4Info."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from finsy.proto import p4i

from p4abs.access.capabilities import Capabilities
from p4abs.targets.tofino.program import TofinoProgram
from p4abs.targets.tofino.queue import offer

TABLE = "port_of_queue"
_ACTION = "of_port"
_KEYS = [("pipe", 2), ("queue", 11)]


@dataclass(frozen=True)
class QueueTable:
    """The ids of the table port_of_queue and of its action that names a port."""

    table_id: int
    action_id: int


class QueueProgram(TofinoProgram):
    """See TofinoProgram."""

    @staticmethod
    def lacking(p4info: p4i.P4Info) -> Iterator[str]:
        if len(_queue_tables(p4info)) != 1:
            yield f"the table {TABLE}"

    def capabilities(self) -> Capabilities:
        return offer.capabilities(self.port_unsupported)

    @cached_property
    def queue_table(self) -> QueueTable:
        [table] = _queue_tables(self.p4info)
        names = {action.preamble.id: action.preamble.name for action in self.p4info.actions}
        [action_id] = [ref.id for ref in table.action_refs if _last(names[ref.id]) == _ACTION]
        return QueueTable(table.preamble.id, action_id)


def _queue_tables(p4info: p4i.P4Info) -> list[p4i.Table]:
    return [table for table in p4info.tables if _is_queue_table(table)]


def _is_queue_table(table: p4i.Table) -> bool:
    keys = [(field.name, field.bitwidth) for field in table.match_fields]
    return _last(table.preamble.name) == TABLE and keys == _KEYS


def _last(name: str) -> str:
    return name.rpartition(".")[2]

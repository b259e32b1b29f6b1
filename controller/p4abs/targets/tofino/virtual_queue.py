"""The programs whose queue is a virtual one (p4src/tna/virtual_queue.p4), by their P4Info, and the
entries of their table drain_rate: at which rate each port's queue empties."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from finsy.proto import p4i, p4r

from p4abs.access.capabilities import Capabilities
from p4abs.access.connection import Connection
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.register_cells import bitstring
from p4abs.access.rpc_error import PortRefused, refused_ports
from p4abs.targets.tofino import offer, rates
from p4abs.targets.tofino.program import TofinoProgram

_PORT_BITS = 9


class VirtualQueueProgram(TofinoProgram):
    """See TofinoProgram."""

    @staticmethod
    def lacking(p4info: p4i.P4Info) -> Iterator[str]:
        if len(_rate_tables(p4info)) != 1:
            yield f"the table {rates.TABLE} of ports"

    def capabilities(self) -> Capabilities:
        return offer.of_virtual_queue(self.port_unsupported, self._action_ids)

    @cached_property
    def _rate_table(self) -> p4i.Table:
        [table] = _rate_tables(self.p4info)
        return table

    @cached_property
    def _action_ids(self) -> Mapping[int, int]:
        """Of the table's actions, by their rates in bit/s."""
        names = {
            action.preamble.name: action.preamble.id
            for action in self.p4info.actions
            if any(action.preamble.id == ref.id for ref in self._rate_table.action_refs)
        }
        return {rate_bps: names[name] for rate_bps, name in rates.actions_by_rate(names).items()}

    async def rates_bps(self, connection: ReadOnlyConnection) -> dict[int, int | None]:
        """The rates of the ports that have an entry; None: its action is none of ours.

        Raises RpcError.
        """
        wildcard = p4r.Entity(table_entry=p4r.TableEntry(table_id=self._rate_table.preamble.id))
        entities = await connection.read([wildcard], ANSWER_TIMEOUT_S)
        entries = [entity.table_entry for entity in entities]
        rates_bps = {number: rate_bps for rate_bps, number in self._action_ids.items()}
        return {
            int.from_bytes(entry.match[0].exact.value): rates_bps.get(entry.action.action.action_id)
            for entry in entries
            if not entry.is_default_action
        }

    async def prepare(
        self, connection: Connection, rates_bps: Mapping[int, int]
    ) -> dict[int, PortRefused]:
        """See TofinoProgram; what is so already is not written again."""
        present = await self.rates_bps(connection)
        changes = {port: rate for port, rate in rates_bps.items() if present.get(port) != rate}
        if not changes:
            return {}
        updates = [
            p4r.Update(
                type=p4r.Update.MODIFY if port in present else p4r.Update.INSERT,
                entity=p4r.Entity(table_entry=self._entry(port, rate)),
            )
            for port, rate in changes.items()
        ]
        failures = await connection.write_partly(updates, ANSWER_TIMEOUT_S)
        return refused_ports([*changes], failures)

    def _entry(self, port: int, rate_bps: int) -> p4r.TableEntry:
        table = self._rate_table
        value = p4r.FieldMatch.Exact(value=bitstring(port))
        action = p4r.Action(action_id=self._action_ids[rate_bps])
        return p4r.TableEntry(
            table_id=table.preamble.id,
            match=[p4r.FieldMatch(field_id=table.match_fields[0].id, exact=value)],
            action=p4r.TableAction(action=action),
        )


def _rate_tables(p4info: p4i.P4Info) -> list[p4i.Table]:
    return [table for table in p4info.tables if _is_rate_table(table)]


def _is_rate_table(table: p4i.Table) -> bool:
    keys = [(field.name, field.bitwidth, field.match_type) for field in table.match_fields]
    is_named = table.preamble.name.rpartition(".")[2] == rates.TABLE
    return is_named and keys == [("port", _PORT_BITS, p4i.MatchField.EXACT)]

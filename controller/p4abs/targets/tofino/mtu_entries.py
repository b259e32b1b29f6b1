"""The entries of the table port_mtu over P4Runtime."""

from collections.abc import Mapping

from finsy.proto import p4i

from p4abs.access.connection import Connection
from p4abs.access.reading import ANSWER_TIMEOUT_S
from p4abs.access.rpc_error import PortRefused, refused_ports
from p4abs.access.tables.form import forms_of
from p4abs.targets.tofino import mtu


class MtuEntries:
    """Written by the primary controller; a program that has no such table bounds no frame."""

    def __init__(self, connection: Connection, p4info: p4i.P4Info) -> None:
        self._connection = connection
        has_table = mtu.named((each.preamble.name for each in p4info.tables), mtu.TABLE)
        self._form = forms_of(p4info, [mtu.TABLE])[mtu.TABLE] if has_table else None

    async def write(self, mtu_bytes: Mapping[int, int]) -> dict[int, PortRefused]:
        """Writes the ports' largest frames; returns refusals by port. Raises RpcError."""
        if self._form is None or not mtu_bytes:
            return {}
        answers = await self._connection.read([self._form.all()], ANSWER_TIMEOUT_S)
        entries = self._form.entries(answers)
        present = {port: wire_bytes for (port,), (wire_bytes,) in entries.items()}
        changes = mtu.changes(mtu_bytes, present)
        if not changes:
            return {}
        updates = self._form.changes(
            {key: values for key, values in entries.items() if key[0] in changes},
            {(port,): (wire_bytes,) for port, wire_bytes in changes.items()},
        )
        failures = await self._connection.write_partly([*updates], ANSWER_TIMEOUT_S)
        return refused_ports([*changes], failures)

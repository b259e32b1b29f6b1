"""Keeps packets to controllers bounded, so that they never crowd out the mailbox."""

from typing import Any

from finsy.proto import p4i, p4r

from p4abs.access.connection import Connection
from p4abs.access.program import PACKET_IN_METER, Program
from p4abs.access.reading import ANSWER_TIMEOUT_S
from p4abs.access.tables import PacketInMeter, Upkeep
from p4abs.access.tables.packet_ins import RATE_PPS
from p4abs.config import SwitchSettings


class PacketInBounds(Upkeep[SwitchSettings, PacketInMeter]):
    """Gives each class of packets of one switch a rate, unless somebody has given it one.

    Replies of the mailbox share the stream with packets for any port, so it does not matter which
    ports are observed.
    """

    topic = "packet-ins"
    _session: tuple[Connection, Program] | None = None

    def connect(self, connection: Any, program: Any) -> None:
        """The session that begins is of this connection."""
        is_p4runtime = isinstance(connection, Connection) and isinstance(program, Program)
        self._session = (connection, program) if is_p4runtime else None

    async def _write(self) -> None:
        if self._table is None:
            return
        bounded = await self._table.bound()
        if bounded and self._settings.is_observed:
            self._say(f"packet-ins: {RATE_PPS}/s set for each class that had no rate")
        if self._session is not None and not bounded and not self._settings.is_observed:
            await _write_again(*self._session)


async def _write_again(connection: Connection, program: Program) -> None:
    """Writes a rate that the switch has: the mailbox knows no roles, so without this nobody learns
    that limits are another role's to write. Raises RpcError and PrimacyLost."""
    ids = [each.preamble.id for each in program.p4info.meters if _is_of_packet_ins(each)]
    wanted = p4r.Entity(meter_entry=p4r.MeterEntry(meter_id=ids[0]))
    wanted.meter_entry.index.index = 0
    rates = await connection.read([wanted], ANSWER_TIMEOUT_S)
    updates = [p4r.Update(type=p4r.Update.MODIFY, entity=rate) for rate in rates]
    await connection.write(updates, ANSWER_TIMEOUT_S)


def _is_of_packet_ins(meter: p4i.Meter) -> bool:
    return bool(meter.preamble.alias == PACKET_IN_METER)

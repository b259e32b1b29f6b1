"""Keeps packets to controllers bounded, so that they never crowd out the mailbox."""

from p4abs.access.tables import PacketInMeter, Upkeep
from p4abs.access.tables.packet_ins import RATE_PPS
from p4abs.config import SwitchSettings


class PacketInBounds(Upkeep[SwitchSettings, PacketInMeter]):
    """Gives each class of packets of one switch a rate, unless somebody has given it one.

    Replies of the mailbox share the stream with packets for any port, so it does not matter which
    ports are observed.
    """

    topic = "packet-ins"

    async def _write(self) -> None:
        if self._table is None:
            return
        bounded = await self._table.bound()
        if bounded and self._settings.is_observed:
            self._say(f"packet-ins: {RATE_PPS}/s set for each class that had no rate")
        if not bounded and not self._settings.is_observed:
            await self._table.write_again()

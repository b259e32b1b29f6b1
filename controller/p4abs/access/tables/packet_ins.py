"""The meter that limits packets to controllers (p4src/packet_io/trap.p4), over P4Runtime."""

from collections.abc import Collection
from typing import Self

from finsy.proto import p4i, p4r

from p4abs.access.connection import Connection
from p4abs.access.program import PACKET_IN_METER
from p4abs.access.reading import ANSWER_TIMEOUT_S

RATE_PPS = 250
BURST_PACKETS = 50


class PacketInMeter:
    """Of the switch's program; `meter` is what P4Info says of it."""

    def __init__(self, connection: Connection, meter: p4i.Meter) -> None:
        self._connection = connection
        self._meter = meter

    @classmethod
    def of(cls, connection: Connection, p4info: p4i.P4Info) -> Self | None:
        """None: the program has no such meter."""
        packets = p4i.MeterSpec.PACKETS
        for meter in p4info.meters:
            if meter.preamble.alias == PACKET_IN_METER and meter.spec.unit == packets:
                return cls(connection, meter)
        return None

    async def bound(self) -> Collection[int]:
        """Gives each class that has no rate one; returns these classes.

        Raises RpcError and PrimacyLost.
        """
        entries = await self._connection.read([self._entity()], ANSWER_TIMEOUT_S)
        found = [each.meter_entry for each in entries]
        bounded = {each.index.index for each in found if each.config.cir or each.config.pir}
        unbounded = [index for index in range(self._meter.size) if index not in bounded]
        updates = [
            p4r.Update(type=p4r.Update.MODIFY, entity=self._entity(each)) for each in unbounded
        ]
        if updates:
            await self._connection.write(updates, ANSWER_TIMEOUT_S)
        return unbounded

    async def write_again(self) -> None:
        """Writes a rate that the switch has: the mailbox knows no roles, so without this nobody
        learns that limits are another role's to write. Raises RpcError and PrimacyLost."""
        first = self._entity()
        first.meter_entry.index.index = 0
        rates = await self._connection.read([first], ANSWER_TIMEOUT_S)
        updates = [p4r.Update(type=p4r.Update.MODIFY, entity=rate) for rate in rates]
        await self._connection.write(updates, ANSWER_TIMEOUT_S)

    def _entity(self, index: int | None = None) -> p4r.Entity:
        """One class with the rate that it gets; None: all of them, to be read."""
        entry = p4r.MeterEntry(meter_id=self._meter.preamble.id)
        if index is not None:
            entry.index.index = index
            entry.config.cir = entry.config.pir = RATE_PPS
            entry.config.cburst = entry.config.pburst = BURST_PACKETS
        return p4r.Entity(meter_entry=entry)

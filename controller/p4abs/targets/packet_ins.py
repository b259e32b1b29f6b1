"""At which rate packets beside the mailbox's come to controllers (p4src/packet_io/trap.p4).

They share the way with mailbox replies. So whoever controls buffers bounds each class of them where
nobody has yet.
"""

from finsy.proto import p4i, p4r

from p4abs.access.connection import Connection
from p4abs.access.reading import ANSWER_TIMEOUT_S

METER = "packet_in_meter"
RATE_PPS = 250
BURST_PACKETS = 50


async def bound_packet_ins(connection: Connection, p4info: p4i.P4Info) -> None:
    """Of each class that has no rate; nothing where the program has no such meter. Raises RpcError
    and PrimacyLost."""
    meter = next((each for each in p4info.meters if each.preamble.alias == METER), None)
    if meter is None:
        return
    every = p4r.Entity(meter_entry=p4r.MeterEntry(meter_id=meter.preamble.id))
    entries = [each.meter_entry for each in await connection.read([every], ANSWER_TIMEOUT_S)]
    bounded = {entry.index.index for entry in entries if entry.config.cir or entry.config.pir}
    config = p4r.MeterConfig(cir=RATE_PPS, cburst=BURST_PACKETS, pir=RATE_PPS, pburst=BURST_PACKETS)
    updates = [
        p4r.Update(
            type=p4r.Update.MODIFY,
            entity=p4r.Entity(
                meter_entry=p4r.MeterEntry(
                    meter_id=meter.preamble.id, index=p4r.Index(index=index), config=config
                )
            ),
        )
        for index in range(meter.size)
        if index not in bounded
    ]
    if updates:
        await connection.write(updates, ANSWER_TIMEOUT_S)

"""What targets over P4Runtime have in common: their sessions, and packets to controllers."""

from typing import Protocol, TypeVar

from finsy.proto import p4i, p4r

from p4abs.access.connection import Connection
from p4abs.access.election import Election
from p4abs.access.reading import ANSWER_TIMEOUT_S, ReadOnlyConnection
from p4abs.access.tls import TlsFiles
from p4abs.targets.target import Target, TargetProgram

METER = "packet_in_meter"
RATE_PPS = 250
BURST_PACKETS = 50


class P4RuntimeProgram(TargetProgram, Protocol):
    """One with a P4Info."""

    @property
    def p4info(self) -> p4i.P4Info: ...


Program = TypeVar("Program", bound=P4RuntimeProgram)


class P4RuntimeTarget(Target[Program, ReadOnlyConnection, Connection]):
    """Spoken to by the clients of p4abs/access."""

    def session(
        self, address: str, device_id: int, election: Election, tls: TlsFiles | None
    ) -> Connection:
        return Connection(address, device_id, election, tls)

    def reader(self, address: str, device_id: int, tls: TlsFiles | None) -> ReadOnlyConnection:
        return ReadOnlyConnection(address, device_id, tls)

    async def bound_packet_ins(self, session: Connection, program: Program) -> None:
        """Bounds each class of packets beside the mailbox's that has no rate yet
        (p4src/packet_io/trap.p4); nothing where the program has no such meter."""
        meter = next((each for each in program.p4info.meters if each.preamble.alias == METER), None)
        if meter is None:
            return
        every = p4r.Entity(meter_entry=p4r.MeterEntry(meter_id=meter.preamble.id))
        entries = [each.meter_entry for each in await session.read([every], ANSWER_TIMEOUT_S)]
        bounded = {entry.index.index for entry in entries if entry.config.cir or entry.config.pir}
        config = p4r.MeterConfig(
            cir=RATE_PPS, cburst=BURST_PACKETS, pir=RATE_PPS, pburst=BURST_PACKETS
        )
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
            await session.write(updates, ANSWER_TIMEOUT_S)

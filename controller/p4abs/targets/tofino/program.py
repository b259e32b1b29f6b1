"""A program of p4src/tna by its P4Info: what all of them have, whatever their queue is."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import ClassVar, Self

from finsy.proto import p4i

from p4abs.access.capabilities import Capabilities
from p4abs.access.connection import Connection
from p4abs.access.program import MissingObjects, Pipeline
from p4abs.access.rpc_error import PortRefused
from p4abs.targets.tofino.chip import CHIPS, port_unsupported
from p4abs.targets.tofino.records import (
    HEAD_BITS,
    REQUEST_BITS,
    WITH_FLOWS,
    WITHOUT_FLOWS,
    RecordForm,
)
from p4abs.targets.tofino.replies import Replies

# Fields in their order with their widths in bits, as p4src/tna/headers.p4 has them.
_HEADERS = {
    "packet_out": {"egress_port": 9, "submit_to_ingress": 1, "unused_pad": 6},
    "packet_in": {"ingress_port": 9, "target_egress_port": 9, "reason": 6},
    "mailbox": HEAD_BITS,
    "mailbox_request": REQUEST_BITS,
}
_RECORD = "mailbox_record"
# Of a message about a program that is another one.
_MAX_TABLES = 3


class ForeignPipeline(MissingObjects):
    """A program that is none of p4src/tna; the message says which it is, and what it lacks."""


class TofinoProgram(Pipeline):
    """Made by of() of the class for its queue, which sees that everything is there. `replies` reads
    what its mailbox answers."""

    replies: ClassVar[type[Replies]] = Replies

    @classmethod
    def of(cls, p4info: p4i.P4Info, device_config: bytes = b"", *, whose: str) -> Self:
        """Raises ForeignPipeline, which begins with `whose`; MissingObjects for another version."""
        program = cls(p4info, device_config)
        program.check_version()
        if missing := next(chain(_missing(p4info), cls.lacking(p4info)), None):
            raise ForeignPipeline(
                f"{whose} is not one of p4src/tna: it lacks {missing}; it is {_described(p4info)}"
            )
        return program

    @staticmethod
    @abstractmethod
    def lacking(p4info: p4i.P4Info) -> Iterator[str]:
        """What the queue's own tables are missing."""

    @abstractmethod
    def capabilities(self) -> Capabilities:
        """See TargetProgram."""

    @abstractmethod
    async def prepare(
        self, connection: Connection, rates_bps: Mapping[int, int]
    ) -> dict[int, PortRefused]:
        """Sees that the ports have the entries without which they have no queue, at these rates;
        those that cannot, by port. Raises RpcError."""

    def port_unsupported(self, number: int) -> str:
        """Why the chip has no such port; empty: it has, if it has that pipe."""
        return port_unsupported(CHIPS[self.p4info.pkg_info.arch], number)

    @property
    def record_form(self) -> RecordForm:
        """How its mailbox lays out what it answers."""
        return _record_form(self.p4info)

    def header_ids(self, header: str) -> dict[str, int]:
        """Field names of the controller header `packet_out` or `packet_in` to metadata ids."""
        return {field.name: field.id for field in _fields(self.p4info, header)}


def listed(tables: Sequence[str]) -> str:
    """The first tables of a program, by which its user may know it."""
    more = " ..." if len(tables) > _MAX_TABLES else ""
    return f"the tables {', '.join(tables[:_MAX_TABLES]) or 'none'}{more}"


def _missing(p4info: p4i.P4Info) -> Iterator[str]:
    if p4info.pkg_info.arch not in CHIPS:
        yield f"the architecture {' or '.join(CHIPS)}"
    for header, widths in {**_HEADERS, _RECORD: _record_form(p4info).bits}.items():
        found = {field.name: field.bitwidth for field in _fields(p4info, header)}
        for name, bits in widths.items():
            if found.get(name) != bits:
                yield f"{header}.{name} of {bits} bits"
        if [*found] != [*widths]:
            yield f"{header} of {', '.join(widths)} and nothing else, in this order"


def _record_form(p4info: p4i.P4Info) -> RecordForm:
    """With flows if the program names any of their fields."""
    names = {field.name for field in _fields(p4info, _RECORD)}
    of_flows = WITH_FLOWS.bits.keys() - WITHOUT_FLOWS.bits.keys()
    return WITH_FLOWS if names & of_flows else WITHOUT_FLOWS


def _described(p4info: p4i.P4Info) -> str:
    tables = listed([table.preamble.name for table in p4info.tables])
    name = p4info.pkg_info.name or "without a name"
    arch = p4info.pkg_info.arch or "an unknown architecture"
    return f"{name}, for {arch}, with {tables}"


def _fields(p4info: p4i.P4Info, header: str) -> Iterable[p4i.ControllerPacketMetadata.Metadata]:
    for metadata in p4info.controller_packet_metadata:
        if metadata.preamble.name == header:
            return metadata.metadata
    return ()

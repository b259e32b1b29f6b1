"""Mailbox requests and records as bytes, laid out by p4src/tna/headers.p4."""

import struct
from collections.abc import Iterable, Mapping, Sequence

from p4abs.p4_constants import MAILBOX_WRITE_QUEUE_LIMIT
from p4abs.targets.tofino.words import FLOWS, OF_QUEUES, Words

REQUESTS_MAX = 5
"""The most ports that one packet visits: MAILBOX_REQUESTS_MAX of p4src/tna/headers.p4."""

Record = Mapping[str, int]
"""What a port answers: the fields of a mailbox_record by their names."""

HEAD_BITS = {"sequence": 32}
REQUEST_BITS = {"operation": 8, "requests_left": 8, "port": 16, "queue_limit_bytes": 32}
"""Fields in their order, as P4Info has them."""

_REQUEST = struct.Struct(">BBHI")
_PORT = struct.Struct(">H")  # that a record begins with


def packed_requests(operation: int, limits: Mapping[int, int | None]) -> bytes:
    """Asks ports in this order; writes limits where there are, in bytes."""
    last = len(limits) - 1
    return b"".join(
        _REQUEST.pack(operation, last - index, port, 0)
        if limit_bytes is None
        else _REQUEST.pack(operation | MAILBOX_WRITE_QUEUE_LIMIT, last - index, port, limit_bytes)
        for index, (port, limit_bytes) in enumerate(limits.items())
    )


class RecordForm:
    """The layout of a program's records: `bits` has the fields in the order of P4Info.

    A reply has the last request's record first. The methods return records in the order of the
    requests.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.bits = {"port": 16, "timestamp_ns": 48, **dict.fromkeys(words, 32)}
        self.words = words
        self._layout = struct.Struct(f">H6s{len(words)}I")

    def unpacked(self, payload: bytes, count: int) -> Sequence[Record]:
        """Raises struct.error where there are fewer."""
        return [
            self._record(*self._layout.unpack_from(payload, start)) for start in self._starts(count)
        ]

    def ports(self, payload: bytes, count: int) -> Sequence[int]:
        """The ports alone. Raises struct.error where there are fewer records."""
        if len(payload) < count * self._layout.size:
            raise struct.error(f"{len(payload)} bytes, too few for {count} records")
        return [_PORT.unpack_from(payload, start)[0] for start in self._starts(count)]

    def _starts(self, count: int) -> Iterable[int]:
        return reversed(range(0, count * self._layout.size, self._layout.size))

    def _record(self, port: int, timestamp_ns: bytes, *words: int) -> Record:
        values = dict(zip(self.words, words, strict=True))
        return {"port": port, "timestamp_ns": int.from_bytes(timestamp_ns, "big"), **values}


def _fields(measured: Mapping[str, Words]) -> Iterable[str]:
    return (field for words in measured.values() for field in words.fields)


WITHOUT_FLOWS = RecordForm([*_fields(OF_QUEUES), "backlog_window"])
WITH_FLOWS = RecordForm([*WITHOUT_FLOWS.words, *_fields(FLOWS)])

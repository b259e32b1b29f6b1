"""Mailbox requests and records as bytes, laid out by p4src/tna/headers.p4."""

import struct
from collections.abc import Iterable, Mapping, Sequence

from p4abs.measurements import MEASUREMENTS
from p4abs.p4_constants import MAILBOX_WRITE_QUEUE_LIMIT

REQUESTS_MAX = 5
"""The most ports that one packet visits: MAILBOX_REQUESTS_MAX of p4src/tna/headers.p4."""

Record = Mapping[str, int]
"""What a port answers: the fields of a mailbox_record by their names."""

_WORDS = (*(word for each in MEASUREMENTS for word in each.tofino), "backlog_window")
HEAD_BITS = {"sequence": 32}
REQUEST_BITS = {"operation": 8, "requests_left": 8, "port": 16, "queue_limit_bytes": 32}
RECORD_BITS = {"port": 16, "timestamp_ns": 48, **dict.fromkeys(_WORDS, 32)}
"""Fields in their order, as P4Info has them."""

_REQUEST = struct.Struct(">BBHI")
_PORT = struct.Struct(">H")  # that a record begins with
_RECORD = struct.Struct(f">H6s{len(_WORDS)}I")


def packed_requests(operation: int, limits: Mapping[int, int | None]) -> bytes:
    """Asks ports in this order; writes limits where there are, in bytes."""
    last = len(limits) - 1
    return b"".join(
        _REQUEST.pack(operation, last - index, port, 0)
        if limit_bytes is None
        else _REQUEST.pack(operation | MAILBOX_WRITE_QUEUE_LIMIT, last - index, port, limit_bytes)
        for index, (port, limit_bytes) in enumerate(limits.items())
    )


def unpacked_records(payload: bytes, count: int) -> Sequence[Record]:
    """In the order of the requests, which is not that of the packet: later records stand before
    earlier ones. Raises struct.error where there are fewer."""
    return [_record(*_RECORD.unpack_from(payload, start)) for start in _starts(count)]


def ports_of_records(payload: bytes, count: int) -> Sequence[int]:
    """The same order; the ports alone. Raises struct.error where there are fewer records."""
    if len(payload) < count * _RECORD.size:
        raise struct.error(f"{len(payload)} bytes, too few for {count} records")
    return [_PORT.unpack_from(payload, start)[0] for start in _starts(count)]


def _starts(count: int) -> Iterable[int]:
    return reversed(range(0, count * _RECORD.size, _RECORD.size))


def _record(port: int, timestamp_ns: bytes, *words: int) -> Record:
    values = dict(zip(_WORDS, words, strict=True))
    return {"port": port, "timestamp_ns": int.from_bytes(timestamp_ns, "big"), **values}

"""The records of a mailbox packet (p4src/headers.p4): their form is what P4Info says of them."""

import struct
from collections.abc import Iterator
from operator import itemgetter
from typing import NamedTuple

from p4abs.access.program import MissingObjects, Program

_FORMATS = {8: "B", 16: "H", 32: "I", 64: "Q"}


class Record(NamedTuple):
    """What comes back of one port; None: the program does not tell."""

    operation: int
    port: int
    queue_limit_bytes: int
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    unsaturated_us: int | None
    unsaturated_bytes: int | None
    backlog_window: int | None
    least_backlog_bytes: int | None
    greatest_backlog_bytes: int | None
    marked_bytes: int | None


class RecordForm:
    """Packs what is asked of a port and unpacks what comes back.

    Raises MissingObjects when the program has no such records.
    """

    def __init__(self, program: Program) -> None:
        widths = program.mailbox_record_bits()
        self._form = struct.Struct(">" + "".join(map(_format, widths, widths.values())))
        self._positions = {name: position for position, name in enumerate(widths)}
        self._blank = [0] * len(widths)
        # What the program does not tell stands behind the rest.
        self._choose = itemgetter(*(self._positions.get(name, -1) for name in Record._fields))

    @property
    def length_bytes(self) -> int:
        """Of one record."""
        return self._form.size

    def pack(self, operation: int, port: int, **settings: int) -> bytes:
        """What is asked of a port: the settings are what the operation says to write.

        The program may not know a setting; then it knows no such operation either.
        """
        fields, positions = self._blank.copy(), self._positions
        fields[positions["operation"]] = operation
        fields[positions["port"]] = port
        for name, value in settings.items():
            if name in positions:
                fields[positions[name]] = value
        return self._form.pack(*fields)

    def unpack(self, packed: bytes) -> Iterator[Record]:
        """The records of a payload. Raises struct.error when it is not made of whole ones."""
        choose, make = self._choose, Record._make
        return (make(choose((*row, None))) for row in self._form.iter_unpack(packed))


def _format(name: str, width_bits: int) -> str:
    if width_bits not in _FORMATS:
        raise MissingObjects(
            f"the program's mailbox_record.{name} has {width_bits} bits; "
            f"{', '.join(map(str, _FORMATS))} can be read"
        )
    return _FORMATS[width_bits]

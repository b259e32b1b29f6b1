"""The records of a mailbox packet (p4src/headers.p4): their form is what P4Info says of them."""

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from p4abs.access.program import MissingObjects, Program

Records = NDArray[Any]
"""A record of each of several ports, with its fields by their names."""

_FORMATS = {8: "u1", 16: ">u2", 32: ">u4", 64: ">u8"}


class RecordForm:
    """Makes what is asked of ports and reads what comes back.

    Raises MissingObjects when the program has no such records.
    """

    def __init__(self, program: Program) -> None:
        widths = program.mailbox_record_bits()
        self._type = np.dtype([(name, _format(name, bits)) for name, bits in widths.items()])

    @property
    def names(self) -> Collection[str]:
        """Of the fields that the program knows."""
        return self._type.names or ()

    def blank(self, ports: Sequence[int]) -> Records:
        """Records that ask nothing of these ports."""
        records = np.zeros(len(ports), self._type)
        records["port"] = ports
        return records

    def unpack(self, packed: bytes) -> Records:
        """The records of a payload. Raises ValueError when it is not made of whole ones."""
        return np.frombuffer(packed, self._type)


def _format(name: str, width_bits: int) -> str:
    if width_bits not in _FORMATS:
        raise MissingObjects(
            f"the program's mailbox_record.{name} has {width_bits} bits; "
            f"{', '.join(map(str, _FORMATS))} can be read"
        )
    return _FORMATS[width_bits]

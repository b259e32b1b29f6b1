"""Rates, durations and sizes as people write them: `10Mbit`, `20ms`, `64KiB`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from p4abs_switch.errors import UserError

_QUANTITY = re.compile(
    r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE | re.ASCII
)


class UnitError(UserError, ValueError):
    """A quantity that cannot be understood or lies outside of what makes sense."""


@dataclass(frozen=True)
class _Quantity:
    """A kind of quantity.

    units: the spelling of each in ascending order, and its size in the base unit.
    smallest, largest: in the base unit, and valid themselves; bounds: as messages call the two.
    """

    name: str
    units: Mapping[str, float]
    smallest: float
    largest: float
    bounds: str
    example: str

    def parse(self, text: object) -> float:
        """The value in the base unit. Units are matched without regard to case.

        Raises UnitError for anything but a number followed by one of the units, and for values
        out of bounds.
        """
        match = _QUANTITY.fullmatch(text) if isinstance(text, str) else None
        sizes = {unit.lower(): size for unit, size in self.units.items()}
        if match is None or match[2].lower() not in sizes:
            raise UnitError(
                f"{text!r}: must be a {self.name} with a unit ({', '.join(self.units)}), "
                f"such as {self.example!r}"
            )
        # 10us is 1e-05 s, not the 9.999999999999999e-06 of binary multiplication.
        value = float(f"{float(match[1]) * sizes[match[2].lower()]:.15g}")
        if not self.smallest <= value <= self.largest:
            raise UnitError(f"{text!r}: must be between {self.bounds}")
        return value


_RATE = _Quantity(
    "rate",
    {"bit": 1, "kbit": 1e3, "Mbit": 1e6, "Gbit": 1e9, "Tbit": 1e12},
    smallest=1e3,
    largest=1e12,
    bounds="1kbit and 1Tbit",
    example="10Mbit",
)
_DURATION = _Quantity(
    "duration",
    {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400},
    smallest=0,
    largest=365 * 86400,
    bounds="0us and 8760h",
    example="10s",
)
_SIZE = _Quantity(
    "size",
    {
        **{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9},
        **{"KiB": 2**10, "MiB": 2**20, "GiB": 2**30},
    },
    smallest=0,
    largest=2**40,
    bounds="0B and 1024GiB",
    example="10MiB",
)


def parse_rate(text: object) -> int:
    """Bits per second, from text such as `10Mbit`; 1 kbit/s to 1 Tbit/s."""
    return round(_RATE.parse(text))


def parse_duration(text: object) -> float:
    """Seconds, from text such as `20ms`; zero to one year."""
    return _DURATION.parse(text)


def parse_size(text: object) -> int:
    """Bytes, from text such as `64KiB` (1024 based) or `64kB` (1000 based); zero to 1 TiB."""
    return round(_SIZE.parse(text))

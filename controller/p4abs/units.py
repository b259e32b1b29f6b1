"""Rates, durations and sizes as people write them: `10Mbit`, `20ms`, `64KiB`."""

import re
from dataclasses import dataclass

from p4abs.errors import UserError, shown

_QUANTITY = re.compile(
    r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)\s*", re.IGNORECASE | re.ASCII
)


class UnitError(UserError, ValueError):
    """A quantity that cannot be understood or lies outside of what makes sense."""


@dataclass(frozen=True)
class Quantity:
    """A kind of quantity: its units in ascending order and the values that make sense.

    `units` maps a unit's spelling to its size in the base unit; `smallest` and `largest` are in
    the base unit and valid themselves.
    """

    name: str
    units: dict[str, float]
    smallest: float
    largest: float
    display: tuple[str, ...]

    def parse(self, text: object) -> float:
        """The value in the base unit. Units are matched without regard to case.

        Raises UnitError for anything but a number followed by one of the units, and for values
        below `smallest` or above `largest`.
        """
        match = _QUANTITY.fullmatch(text) if isinstance(text, str) else None
        sizes = {unit.lower(): size for unit, size in self.units.items()}
        if match is None or match[2].lower() not in sizes:
            raise UnitError(
                f"{shown(text)}: must be a {self.name} with a unit ({', '.join(self.units)}), "
                f"such as {self.format(self.example)!r}"
            )
        # 10us is 1e-05 s, not the 9.999999999999999e-06 of binary multiplication.
        value = float(f"{float(match[1]) * sizes[match[2].lower()]:.15g}")
        if not self.smallest <= value <= self.largest:
            raise UnitError(
                f"{shown(text)}: must be between {self.format(self.smallest)} and "
                f"{self.format(self.largest)}"
            )
        return value

    def format(self, value: float) -> str:
        """The value with four significant digits, in the largest unit that is not above it."""
        unit = self.display[0]
        for candidate in self.display:
            if abs(value) >= self.units[candidate]:
                unit = candidate
        return f"{value / self.units[unit]:.4g}{unit}"

    @property
    def example(self) -> float:
        """A value to show in messages."""
        return 10 * self.units[self.display[len(self.display) // 2]]


RATE = Quantity(
    "rate",
    {"bit": 1, "kbit": 1e3, "Mbit": 1e6, "Gbit": 1e9, "Tbit": 1e12},
    smallest=1e3,
    largest=10e12,
    display=("bit", "kbit", "Mbit", "Gbit", "Tbit"),
)
DURATION = Quantity(
    "duration",
    {"us": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400},
    smallest=0,
    largest=365 * 86400,
    display=("us", "ms", "s", "h"),
)
SIZE = Quantity(
    "size",
    {
        **{"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9},
        **{"KiB": 2**10, "MiB": 2**20, "GiB": 2**30},
    },
    smallest=0,
    largest=2**40,
    display=("B", "KiB", "MiB", "GiB"),
)


def parse_rate(text: object) -> int:
    """Bits per second, from text such as `10Mbit`; 1 kbit/s to 10 Tbit/s."""
    return round(RATE.parse(text))


def parse_duration(text: object) -> float:
    """Seconds, from text such as `20ms`; zero to one year."""
    return DURATION.parse(text)


def parse_size(text: object) -> int:
    """Bytes, from text such as `64KiB` (1024 based) or `64kB` (1000 based); zero to 1 TiB."""
    return round(SIZE.parse(text))


def format_rate(bits_per_second: float) -> str:
    """For example `10Mbit`."""
    return RATE.format(bits_per_second)


def format_duration(seconds: float) -> str:
    """For example `20ms`."""
    return DURATION.format(seconds)


def format_size(size_bytes: float) -> str:
    """For example `46.5KiB`."""
    return SIZE.format(size_bytes)

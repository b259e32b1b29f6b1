"""What controllers give in the place of numbers of translated types (P4Runtime 1.5, section 8.4.6).

The specification leaves it to the switch which number is meant. Here an integer of another width is
the number itself, and so is a string that is a number in decimal. Strings for which the program
declares numbers have these; others, but for ports, get one when they are given first, and keep it
as long as the program runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from p4abs_switch.status import Code, RequestError, invalid

_MOST_DIGITS = 40
"""More than a bit<128> has."""


@dataclass(frozen=True, slots=True)
class SdnNumbers:
    """`sdn_bitwidth`: integers of so many bits."""

    width_bits: int


class SdnStrings:
    """`sdn_string`: any strings, for numbers of a type of `width_bits`.

    Numbers are taken from the second highest down: programs give 0 and all ones, v1model's drop
    port, meanings of their own. `declared`: the strings for which the program has numbers, one
    for each. `are_ports`: others get none, as they would name ports that are not there.
    """

    def __init__(
        self,
        type_name: str,
        width_bits: int,
        declared: Mapping[bytes, int] = MappingProxyType({}),
        *,
        are_ports: bool = False,
    ) -> None:
        self._type_name = type_name
        self._width_bits = width_bits
        self._are_ports = are_ports
        self._numbers = dict(declared)
        self._strings = {number: string for string, number in declared.items()}
        self._highest = (1 << width_bits) - 2

    def number(self, string: bytes, what: str) -> int:
        """The number of a string.

        Raises RequestError, naming `what`: RESOURCE_EXHAUSTED when all numbers are taken,
        INVALID_ARGUMENT for a string that is no port.
        """
        if string not in self._numbers:
            number = self._unused(string, what)
            self._numbers[string], self._strings[number] = number, string
        return self._numbers[string]

    def string(self, number: int) -> bytes:
        """The string that was given for a number; what none was given for is told in decimal."""
        return self._strings.get(number, b"%d" % number)

    def _unused(self, string: bytes, what: str) -> int:
        number = _decimal(string)
        if number is not None and self._is_free(number):
            return number
        if self._are_ports:
            raise invalid(
                f"{what}: {string!r} is no {self._type_name}; ports are called by their numbers, in"
                " decimal, or as the program declares"
            )
        while not self._is_free(self._highest):
            self._highest -= 1
        if self._highest <= 0:
            raise RequestError(
                Code.RESOURCE_EXHAUSTED,
                f"{what}: {string!r} gets no number, as all of {self._type_name}"
                f" (bit<{self._width_bits}>) stand for other strings",
            )
        return self._highest

    def _is_free(self, number: int) -> bool:
        return number.bit_length() <= self._width_bits and number not in self._strings


Translation: TypeAlias = SdnNumbers | SdnStrings


def _decimal(string: bytes) -> int | None:
    """The number that is written so, without leading zeros."""
    if not string.isdigit() or len(string) > _MOST_DIGITS:
        return None
    number = int(string)
    return number if string == b"%d" % number else None

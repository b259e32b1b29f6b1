"""Values of fields in messages, as numbers of the data plane (P4Runtime 1.5, 8.3 and 18.1)."""

from p4abs_switch import bytestring
from p4abs_switch.messages import numbers
from p4abs_switch.program.objects import Field
from p4abs_switch.program.translation import SdnNumbers, SdnStrings


def decode(value: bytes, part: Field, what: str) -> int:
    """The number of a value.

    Raises RequestError, naming `what`: OUT_OF_RANGE for an empty or too large value,
    RESOURCE_EXHAUSTED for a string when all numbers are taken, INVALID_ARGUMENT for one that is
    no port.
    """
    match part.translation:
        case SdnStrings() as strings:
            return strings.number(value, what)
        case SdnNumbers(width_bits):
            return numbers.decode(value, min(width_bits, part.width_bits), what)
        case None:
            return numbers.decode(value, part.width_bits, what)


def encode(number: int, part: Field) -> bytes:
    """The value of a number."""
    match part.translation:
        case SdnStrings() as strings:
            return strings.string(number)
        case _:
            return bytestring.encode(number)

"""The kinds of values that settings have, and what is valid.

Values of a file are each in TOML's own type. Values of flags are always texts.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from p4abs.access.election import MAX_ELECTION_ID
from p4abs.config.address import host_and_port
from p4abs.config.source import kebab
from p4abs.policies import MaxStep
from p4abs.units import (
    DURATION,
    RATE,
    SIZE,
    Quantity,
    format_duration,
    parse_duration,
    parse_rate,
    parse_size,
)


class FlagText(str):
    """The text of a flag, for a value of any type."""

    __slots__ = ()


def of_flags(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values with their texts as those of flags."""
    return {name: _of_flag(value) for name, value in values.items()}


def _of_flag(value: Any) -> Any:
    if isinstance(value, dict):
        return of_flags(value)
    return FlagText(value) if isinstance(value, str) else value


def _boolean(value: object) -> object:
    if isinstance(value, bool | FlagText):
        return value
    raise _must_be("true or false", value)


def _number(value: object) -> object:
    if isinstance(value, int | float | FlagText) and not isinstance(value, bool):
        return value
    raise _must_be("a number", value)


def _whole(value: object) -> object:
    if isinstance(value, int | FlagText) and not isinstance(value, bool):
        return value
    raise _must_be("a whole number", value)


def _must_be(kind: str, value: object) -> ValueError:
    return ValueError(f"must be {kind}{_without_quotes(value)}")


def _without_quotes(value: object) -> str:
    """The end of a message about a text in a file that should be another type."""
    is_text = isinstance(value, str) and not isinstance(value, FlagText)
    return ", without quotes" if is_text else ""


Boolean = Annotated[bool, BeforeValidator(_boolean)]
Number = Annotated[float, BeforeValidator(_number)]
Whole = Annotated[int, BeforeValidator(_whole)]


MIN_MTU_BYTES = 64
MAX_MTU_BYTES = 9216
SHORTEST_INTERVAL_S = 0.001
LONGEST_INTERVAL_S = 10.0
PRIORITIES = range(8)
# Of dynamic thresholds. Switches offer 1/128 to 8; the data plane has four digits below 1.
MIN_ALPHA = 0.01
MAX_ALPHA = 32
MAX_DEVICE_ID = 2**64 - 1
LONGEST_NAME = 253  # that of a domain
LONGEST_PORT_NAME = 64
_SHARE = re.compile(r"\s*(\d{1,3}(?:\.\d+)?)\s*%\s*", re.ASCII)


@dataclass(frozen=True)
class Values:
    """Which values a setting may have, in words, and how one is written: the reference shows it."""

    text: str
    written: Callable[[Any], str] = str


def _quantities(quantity: Quantity) -> Values:
    return Values(f"a {quantity.name}", quantity.format)


Rate = Annotated[int, BeforeValidator(parse_rate), _quantities(RATE)]
Duration = Annotated[float, BeforeValidator(parse_duration), _quantities(DURATION)]
Size = Annotated[int, BeforeValidator(parse_size), _quantities(SIZE)]


def _no_percentage(value: object) -> object:
    if isinstance(value, str) and (found := _SHARE.fullmatch(value)):
        share = float(found[1]) / 100
        if 0 < share < 1:
            raise ValueError(f"must be above 0 and below 1; for {value.strip()} write {share:g}")
    return value


def _inside_unit_interval(value: float) -> float:
    if not 0 < value < 1:
        raise ValueError("must be above 0 and below 1, such as 0.5 for 50 %")
    return value


SHARE = Values("a number above 0 and below 1")
Fraction = Annotated[
    Number, BeforeValidator(_no_percentage), AfterValidator(_inside_unit_interval), SHARE
]


def from_to(minimum: float, maximum: float, message: str) -> AfterValidator:
    """Refuses other numbers than these with the message."""

    def valid(number: float) -> float:
        if not minimum <= number <= maximum:
            raise ValueError(message)
        return number

    return AfterValidator(valid)


def _word(most: int, example: str) -> AfterValidator:
    """Refuses what is no single word of so many characters."""

    def valid(name: str) -> str:
        if not 0 < len(name) <= most or not name.isprintable() or " " in name:
            raise ValueError(f"must be one word of 1 to {most} characters, such as {example!r}")
        return name

    return AfterValidator(valid)


def short_name(name: str) -> str:
    """A name of an agreement. Raises ValueError."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}", name):
        raise ValueError(
            "must be a name of 1 to 32 of the characters A-Z, a-z, 0-9, '_', '.' and '-', "
            "the first one a letter or digit, such as 'gold'"
        )
    return name


def parse_priority(value: object) -> int:
    """Among ports that share memory. Raises ValueError."""
    valid = {str(priority): priority for priority in PRIORITIES}
    if isinstance(value, int | FlagText) and str(value) in valid:
        return valid[str(value)]
    choice = f"{', '.join(valid)}{_without_quotes(value)}"
    raise ValueError(f"must be one of {choice}; the highest is served first")


class Table(BaseModel):
    """A table of settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=kebab)


def _no_number(name: str) -> str:
    if name.isdigit():
        raise ValueError(
            "must not be a number, because ports without a name are shown by their numbers"
        )
    return name


def parse_step(value: object) -> MaxStep:
    """A size, or a share of the limit in per cent. Raises ValueError."""
    if isinstance(value, MaxStep):
        return value
    if not isinstance(value, str | FlagText):
        raise ValueError("must be a size or a share of the limit, such as '16kB' or '10%'")
    share = _SHARE.fullmatch(value)
    step = MaxStep(0, float(share[1]) / 100) if share else MaxStep(parse_size(value))
    if step == MaxStep() or step.share > 1:
        raise ValueError("must be above 0 and at most 100%, such as '16kB' or '10%'")
    return step


Address = Annotated[
    str, AfterValidator(host_and_port), Values("HOST:PORT, such as `127.0.0.1:9559`")
]
DeviceId = Annotated[
    Whole,
    from_to(0, MAX_DEVICE_ID, f"must be 0 to {MAX_DEVICE_ID}"),
    Values("a whole number, 0 to 2^64 - 1"),
]
ElectionId = Annotated[
    Whole,
    from_to(1, MAX_ELECTION_ID, f"must be 1 to {MAX_ELECTION_ID}"),
    Values(f"a whole number, 1 to 2^{MAX_ELECTION_ID.bit_length()} - 1"),
]
SwitchName = Annotated[
    str, _word(LONGEST_NAME, "spine-1"), Values(f"one word of 1 to {LONGEST_NAME} characters")
]
RoleName = SwitchName
PanelName = Annotated[
    str,
    _word(LONGEST_PORT_NAME, "Ethernet1/1"),
    AfterValidator(_no_number),
    Values(f"one word of 1 to {LONGEST_PORT_NAME} characters"),
]
AgreementName = Annotated[
    str,
    AfterValidator(short_name),
    Values("1 to 32 letters, digits, `_`, `.` and `-`; the first one is a letter or a digit"),
]
_SHORTEST, _LONGEST = map(format_duration, (SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S))
Interval = Annotated[
    Duration,
    from_to(SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S, f"must be between {_SHORTEST} and {_LONGEST}"),
    Values(f"a duration, {_SHORTEST} to {_LONGEST}", format_duration),
]
Mtu = Annotated[
    Size,
    from_to(
        MIN_MTU_BYTES,
        MAX_MTU_BYTES,
        f"must be between {MIN_MTU_BYTES}B and {MAX_MTU_BYTES}B, with the Ethernet header",
    ),
    Values(f"a size, {MIN_MTU_BYTES}B to {MAX_MTU_BYTES}B", "{}B".format),
]
Step = Annotated[
    MaxStep,
    BeforeValidator(parse_step),
    Values("a size such as `16kB`, or a share of the limit such as `10%`"),
]
Priority = Annotated[
    int,
    BeforeValidator(parse_priority),
    Values(f"a whole number, {PRIORITIES.start} to {PRIORITIES.stop - 1}"),
]
Alpha = Annotated[
    Number,
    from_to(MIN_ALPHA, MAX_ALPHA, f"must be between {MIN_ALPHA} and {MAX_ALPHA}"),
    Values(f"a number, {MIN_ALPHA} to {MAX_ALPHA}", "{:g}".format),
]

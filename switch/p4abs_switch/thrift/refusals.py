"""The codes of BMv2's exceptions, and which code an error of the switch gets."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TypeAlias

from p4abs_switch._engine import EngineError, RequestRefused, UnknownObject
from p4abs_switch.errors import InputError
from p4abs_switch.thrift.protocol.service import Refusal


class TableCode(IntEnum):
    """Of tables and action profiles."""

    TABLE_FULL = 1
    INVALID_HANDLE = 2
    EXPIRED_HANDLE = 3
    COUNTERS_DISABLED = 4
    METERS_DISABLED = 5
    AGEING_DISABLED = 6
    INVALID_TABLE_NAME = 7
    INVALID_ACTION_NAME = 8
    WRONG_TABLE_TYPE = 9
    INVALID_MBR_HANDLE = 10
    MBR_STILL_USED = 11
    MBR_ALREADY_IN_GRP = 12
    MBR_NOT_IN_GRP = 13
    INVALID_GRP_HANDLE = 14
    GRP_STILL_USED = 15
    DUPLICATE_ENTRY = 17
    BAD_MATCH_KEY = 18
    DEFAULT_ENTRY_IS_CONST = 21
    INVALID_ACTION_PROFILE_NAME = 23
    NO_ACTION_PROFILE_SELECTION = 24
    IMMUTABLE_TABLE_ENTRIES = 25
    BAD_ACTION_DATA = 26
    NO_TABLE_KEY = 27
    ERROR = 100


class CounterCode(IntEnum):
    """Of counters."""

    INVALID_COUNTER_NAME = 1
    INVALID_INDEX = 2
    ERROR = 3


class MeterCode(IntEnum):
    """Of meters."""

    INVALID_METER_NAME = 1
    INVALID_INDEX = 2
    BAD_RATES_LIST = 3
    INVALID_INFO_RATE_VALUE = 4
    INVALID_BURST_SIZE_VALUE = 5
    ERROR = 6


class RegisterCode(IntEnum):
    """Of registers."""

    INVALID_REGISTER_NAME = 1
    INVALID_INDEX = 2
    ERROR = 3


class ValueSetCode(IntEnum):
    """Of parser value sets."""

    INVALID_PARSE_VSET_NAME = 1
    ERROR = 2


class SwapCode(IntEnum):
    """Of programs."""

    NO_ONGOING_SWAP = 3


class PortCode(IntEnum):
    """Of ports."""

    ERROR = 1


class IdCode(IntEnum):
    """Of looking up ids."""

    INVALID_RESOURCE_TYPE = 0
    INVALID_RESOURCE_NAME = 1


class HashCode(IntEnum):
    """Of hashes."""

    INVALID_CALCULATION_NAME = 1
    WRONG_TYPE_CALCULATION = 2
    INVALID_CONFIG_OR_KEY = 3


class LearnCode(IntEnum):
    """Of digests."""

    INVALID_LIST_ID = 1
    ERROR = 3


class MulticastCode(IntEnum):
    """Of multicast groups and their nodes."""

    INVALID_MGID = 2
    INVALID_MGRP_HANDLE = 3
    INVALID_L1_HANDLE = 4
    ERROR = 5


class MirroringCode(IntEnum):
    """Of mirroring sessions."""

    SESSION_NOT_FOUND = 1


Inputs: TypeAlias = Mapping[type[InputError], IntEnum]
"""Codes for kinds of errors; of a kind and a kind of it, the latter first."""

# Of google.rpc, as the engine's refusals have them.
_NOT_FOUND, _ALREADY_EXISTS, _RESOURCE_EXHAUSTED, _FAILED_PRECONDITION = 5, 6, 8, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Codes:
    """The codes for what a switch refuses.

    unknown: names and numbers of what P4Runtime does not know; missing, used, exists, full: by what
    the engine says; inputs: by kind of error; other: for all else.
    """

    other: IntEnum
    unknown: IntEnum | None = None
    missing: IntEnum | None = None
    used: IntEnum | None = None
    exists: IntEnum | None = None
    full: IntEnum | None = None
    inputs: Inputs = field(default_factory=dict[type[InputError], IntEnum])


@contextmanager
def refusals(codes: Codes) -> Iterator[None]:
    """What the switch refuses inside the `with` raises Refusal, with the code for its kind."""
    by_number = {
        _NOT_FOUND: codes.missing,
        _ALREADY_EXISTS: codes.exists,
        _RESOURCE_EXHAUSTED: codes.full,
        _FAILED_PRECONDITION: codes.used,
    }
    try:
        yield
    except RequestRefused as error:
        number, reason = error.args
        raise Refusal(by_number.get(number) or codes.other, reason) from error
    except InputError as error:
        found = (code for kind, code in codes.inputs.items() if isinstance(error, kind))
        raise Refusal(next(found, codes.other), str(error)) from error
    except EngineError as error:
        unknown = codes.unknown if isinstance(error, UnknownObject) else None
        raise Refusal(unknown or codes.other, str(error)) from error

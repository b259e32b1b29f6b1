"""What BMv2's calls take and give (standard.thrift and simple_switch.thrift of behavioral-model).

Names and the order of fields are BMv2's.
"""

from dataclasses import dataclass, field
from enum import IntEnum

from p4abs_switch.thrift.protocol.shapes import I16, I32, I64, Binary, Bool, Double, Text


class MatchKind(IntEnum):
    """How a key field is matched."""

    EXACT = 0
    LPM = 1
    TERNARY = 2
    VALID = 3
    RANGE = 4


@dataclass(frozen=True, slots=True)
class Exact:
    """A value."""

    key: Binary


@dataclass(frozen=True, slots=True)
class Prefix:
    """A value of which the first bits count."""

    key: Binary
    prefix_length: I32


@dataclass(frozen=True, slots=True)
class Ternary:
    """A value of which the bits of a mask count."""

    key: Binary
    mask: Binary


@dataclass(frozen=True, slots=True)
class Valid:
    """Whether a header is valid."""

    key: Bool


@dataclass(frozen=True, slots=True)
class Range:
    """Both ends belong to it."""

    start: Binary
    end: Binary


@dataclass(frozen=True, slots=True)
class MatchParam:
    """A key field: the one of its kind is set."""

    type: I32
    exact: Exact | None = None
    lpm: Prefix | None = None
    ternary: Ternary | None = None
    valid: Valid | None = None
    range: Range | None = None


@dataclass(frozen=True, slots=True)
class AddEntryOptions:
    """The lowest priority wins."""

    priority: I32 | None = None


@dataclass(frozen=True, slots=True)
class CounterValue:
    """What was counted."""

    bytes: I64
    packets: I64


@dataclass(frozen=True, slots=True)
class MeterRate:
    """Packets or bytes per microsecond, and what may come at once."""

    units_per_micros: Double
    burst_size: I32


class ActionKind(IntEnum):
    """What an entry leads to."""

    NONE = 0
    ACTION_DATA = 1
    MEMBER = 2
    GROUP = 3


@dataclass(frozen=True, slots=True)
class ActionEntry:
    """An action with its data, a member or a group."""

    action_type: I32
    action_name: Text | None = None
    action_data: list[Binary] | None = None
    member: I32 | None = None
    group: I32 | None = None


@dataclass(frozen=True, slots=True)
class EntryLife:
    """Of an entry that times out."""

    timeout_ms: I32
    time_since_hit_ms: I32


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a table."""

    match_key: list[MatchParam]
    options: AddEntryOptions
    handle: I32
    action: ActionEntry
    life: EntryLife | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an action profile."""

    handle: I32
    action_name: Text
    action_data: list[Binary]


@dataclass(frozen=True, slots=True)
class Group:
    """A group of an action profile."""

    handle: I32
    members: list[I32]


@dataclass(frozen=True, slots=True)
class PortInfo:
    """A port; there is never anything extra."""

    number: I32
    interface: Text
    is_up: Bool
    extra: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SwitchInfo:
    """The switch; two sockets that follow in BMv2 are left out: there are none."""

    device_id: I64
    thrift_port: I32
    notifications_socket: Text | None = None


@dataclass(frozen=True, slots=True)
class P4RuntimeServer:
    """Where the same switch serves P4Runtime, HOST:PORT, as which device, and whether by TLS."""

    address: Text
    device_id: I64
    uses_tls: Bool


@dataclass(frozen=True, slots=True)
class MirroringSession:
    """Where copies go: a port, a multicast group or both."""

    port: I32 | None = None
    mgid: I32 | None = None


class Resource(IntEnum):
    """Kinds of objects with ids."""

    MATCH_TABLE = 0
    ACTION_PROFILE = 1
    COUNTER = 2
    METER = 3
    REGISTER = 4
    LEARNING_LIST = 5


@dataclass(frozen=True, slots=True)
class Crc16Parameters:
    """A CRC's, as in Rocksoft's model; Thrift's numbers have signs, these do not."""

    polynomial: I16
    initial_remainder: I16
    final_xor_value: I16
    data_reflected: Bool
    remainder_reflected: Bool


@dataclass(frozen=True, slots=True)
class Crc32Parameters:
    """The same for a CRC of 32 bits."""

    polynomial: I32
    initial_remainder: I32
    final_xor_value: I32
    data_reflected: Bool
    remainder_reflected: Bool

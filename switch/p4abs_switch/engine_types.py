"""Arguments and answers of the engine, as its methods take and give them."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

Match: TypeAlias = (
    tuple[Literal["exact"], bytes]
    | tuple[Literal["lpm"], bytes, int]
    | tuple[Literal["ternary"], bytes, bytes]
    | tuple[Literal["range"], bytes, bytes]
    | tuple[Literal["any"]]
)
"""A key field: exact value; value and prefix length; value and mask; low and high; or anything."""

Key: TypeAlias = tuple[Match, ...]
"""The key of an entry: one match per key field, in order."""

Replica: TypeAlias = tuple[int, int, Sequence[tuple[int, int]]]
"""Where a copy goes: port, instance, and the backups (port and instance) that are tried in this
order while the port is down."""

ColorCounts: TypeAlias = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]
"""Packets and bytes that a meter found green, yellow and red."""

Crc: TypeAlias = tuple[int, int, int, bool, bool]
"""Polynomial, initial remainder and final exclusive or of a CRC; whether data and remainder are
reflected."""

GroupMember: TypeAlias = tuple[int, int, int | None]
"""A member of a group: its id, weight and, if any, watch port."""

Action: TypeAlias = (
    tuple[Literal["action"], str, Sequence[bytes]]
    | tuple[Literal["member"], int]
    | tuple[Literal["group"], int]
    | tuple[Literal["one_shot"], Sequence[tuple[str, Sequence[bytes], int, int | None]]]
)
"""What an entry does: action and arguments; member or group of the table's action profile; or one
of several (action, arguments, weight, watch port), as if they were a group of its own."""

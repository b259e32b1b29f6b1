"""The limits of the P4Runtime server, from the constants of its Rust sources."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import table

_SOURCES = Path(__file__).resolve().parents[3] / "switch"
_NUMBER = r"([\d_]+(?: << \d+)?)"

Numbers = Mapping[str, int]

_CONSTANTS = {
    "request": ("server/src/grpc.rs", "MOST_BYTES"),
    "part": ("p4runtime/src/decoding.rs", "MOST_PART_BYTES"),
    "fields": ("p4runtime/src/decoding.rs", "MOST_FIELDS"),
    "p4info": ("p4runtime/src/config.rs", "MOST_P4INFO_BYTES"),
    "entry": ("p4runtime/src/requests/cost.rs", "ENTRY"),
    "kept": ("p4runtime/src/requests/cost.rs", "KEPT_CELL"),
    "read": ("p4runtime/src/requests/read.rs", "MOST_ENTITIES"),
    "roles": ("server/src/arbitration/mod.rs", "MOST_ROLES"),
    "controllers": ("server/src/arbitration/election.rs", "MOST_CONTROLLERS"),
    "waiting": ("server/src/outbox.rs", "MESSAGES_WAITING"),
    "digests": ("server/src/digest_lists.rs", "LONGEST_LIST"),
    "unacknowledged": ("server/src/digest_lists.rs", "MOST_UNACKNOWLEDGED"),
    "weights": ("pipeline/src/table/profile.rs", "GROUP_WEIGHT_MAX"),
    "session": ("pipeline/src/packet/requests.rs", "SESSION_MASK"),
    "drop": ("pipeline/src/program/mod.rs", "DROP_PORT"),
}
_MOST = {"write": "IN_PARTS", "atomic": "AT_ONCE"}
"""What a Write may cost, in `Limits` of cost.rs."""

_ROWS: tuple[tuple[str, Callable[[Numbers], str]], ...] = (
    ("size of a request", lambda of: _mib(of["request"])),
    (
        "size of an update, of a requested entity, of a message of a stream",
        lambda of: _mib(of["part"]),
    ),
    ("size of a P4Info", lambda of: _mib(of["p4info"])),
    (
        "updates of a Write, requests of a Read",
        lambda of: f"{of['fields']:,} together with the request's other fields",
    ),
    (
        "updates of entries in one Write",
        lambda of: (
            f"{of['write'] // of['entry']:,}; with DATAPLANE_ATOMIC {of['atomic'] // of['entry']:,}"
        ),
    ),
    (
        "cells of counters, meters and registers in one Write",
        lambda of: (
            f"{of['write']:,}; with ROLLBACK_ON_ERROR {of['write'] // of['kept']:,}, because the "
            "switch keeps the old values; with DATAPLANE_ATOMIC "
            f"{of['atomic'] // of['kept']:,}. A single update may write an array of any size"
        ),
    ),
    (
        "entities that a Read returns",
        lambda of: f"{of['read']:,}; each is returned once, even if requested twice",
    ),
    ("roles", lambda of: f"{of['roles']:,}"),
    ("controllers per role, including the primary", lambda of: f"{of['controllers']:,}"),
    (
        "messages that wait for a controller",
        lambda of: (
            f"{of['waiting']:,}; further ones are lost, and the log counts them. If even "
            "arbitration updates find no room, the switch closes the controller's stream"
        ),
    ),
    ("digests per list", lambda of: f"{of['digests']:,}"),
    ("unacknowledged messages per digest id", lambda of: f"{of['unacknowledged']:,}"),
    ("sum of a group's weights", lambda of: f"{of['weights']:,}"),
    ("ids of multicast groups", lambda of: "1 to 65,535"),
    ("ids of clone sessions", lambda of: f"1 to {of['session']:,}"),
    ("ports", lambda of: f"0 to {of['drop'] - 1:,}"),
    ("instances of replicas", lambda of: "0 to 65,535"),
)


def limits() -> str:
    """All limits. Raises Undescribed for a constant that the sources do not have."""
    numbers = {name: _constant(*place) for name, place in _CONSTANTS.items()}
    numbers |= {name: _most(limits) for name, limits in _MOST.items()}
    return table(("of", "limit"), ((what, limit(numbers)) for what, limit in _ROWS))


def _mib(size_bytes: int) -> str:
    return f"{size_bytes >> 20} MiB"


def _constant(path: str, name: str) -> int:
    return _found(path, name, rf"const {name}: \w+ = (?:{_NUMBER}|0x([0-9a-f]+));")


def _most(name: str) -> int:
    path = "p4runtime/src/requests/cost.rs"
    return _found(path, name, rf"const {name}: Limits =\s+Limits \{{[^}}]*most: {_NUMBER}")


def _found(path: str, name: str, pattern: str) -> int:
    found = re.search(pattern, _source(path))
    if found is None:
        raise Undescribed(f"{path} has no number {name}")
    decimal, *hexadecimal = found.groups()
    if decimal is None:
        return int(hexadecimal[0], 16)
    number, _, shift = decimal.partition(" << ")
    return int(number) << int(shift or 0)


@cache
def _source(path: str) -> str:
    return (_SOURCES / path).read_text()

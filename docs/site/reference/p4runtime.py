"""What the P4Runtime server serves, its limits and its statuses, from its sources."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from p4abs_switch.port_service import Method

from docs.site.reference.described import described, text_of
from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table

_SOURCES = Path(__file__).resolve().parents[3] / "switch"
_NUMBER = r"([\d_]+(?: << \d+)?)"

Numbers = Mapping[str, int]

_CONSTANTS = {
    "request": ("server/src/grpc.rs", "MAX_BYTES"),
    "part": ("p4runtime/src/decoding.rs", "MAX_PART_BYTES"),
    "fields": ("p4runtime/src/decoding.rs", "MAX_FIELDS"),
    "p4info": ("p4runtime/src/config.rs", "MAX_P4INFO_BYTES"),
    "entry": ("p4runtime/src/requests/cost.rs", "ENTRY"),
    "kept": ("p4runtime/src/requests/cost.rs", "KEPT_CELL"),
    "read": ("p4runtime/src/requests/read.rs", "MAX_ENTITIES"),
    "roles": ("server/src/arbitration/mod.rs", "MAX_ROLES"),
    "controllers": ("server/src/arbitration/election.rs", "MAX_CONTROLLERS"),
    "waiting": ("server/src/outbox.rs", "MESSAGES_WAITING"),
    "digests": ("server/src/digest_lists.rs", "LONGEST_LIST"),
    "unacknowledged": ("server/src/digest_lists.rs", "MAX_UNACKNOWLEDGED"),
    "weights": ("pipeline/src/table/profile.rs", "GROUP_WEIGHT_MAX"),
    "session": ("pipeline/src/packet/requests.rs", "SESSION_MASK"),
    "drop": ("pipeline/src/program/mod.rs", "DROP_PORT"),
}
_MAX_COSTS = {"write": "IN_PARTS", "atomic": "AT_ONCE"}
"""What a Write may cost, in `Limits` of cost.rs."""

_ENTITY_SOURCE = "p4runtime/src/entities/mod.rs"
_ENTITIES = {
    "Extern": ("ExternEntry", "Not served: programs have the externs of v1model only."),
    "TableEntry": (
        "TableEntry",
        "Entries and default entries, with direct counters, direct meters (with a count for each "
        "color), idle timeouts and one-shot action sets. Not served: the direct meter of a "
        "default entry; one-shot sets with `group_action`; one-shot sets whose selection mode "
        "or size semantics differ from those of their selector.",
    ),
    "Member": ("ActionProfileMember", "Members of action profiles and of action selectors."),
    "Group": ("ActionProfileGroup", "Groups of action selectors, with weights and watch ports."),
    "Meter": ("MeterEntry", "Cells of meters, with a count for each color."),
    "DirectMeter": ("DirectMeterEntry", "The meter of a table entry."),
    "Counter": ("CounterEntry", "Cells of counters."),
    "DirectCounter": ("DirectCounterEntry", "The counter of a table entry."),
    "Replication": (
        "PacketReplicationEngineEntry",
        "Multicast groups and clone sessions, with backup replicas.",
    ),
    "ValueSet": ("ValueSetEntry", "Parser value sets."),
    "Register": ("RegisterEntry", "Cells of registers."),
    "Digest": ("DigestEntry", "Enables a digest, and sets the size and the timeouts of its lists."),
}
"""By the server's own names: the names of P4Runtime, and what is served."""

_STATUS_SOURCE = "p4runtime/src/status.rs"
_STATUSES = {
    "Unknown": (
        "UNKNOWN",
        "Some updates of a Write, or entities of a Read, failed. The details (`google.rpc.Status`) "
        "hold one `p4.v1.Error` for each of them, in order.",
    ),
    "InvalidArgument": (
        "INVALID_ARGUMENT",
        "Requests that cannot be decoded; ids that P4Info or the compiled program lacks; wrong "
        "kinds of matches, actions or updates; a match of all values, such as the prefix length 0 "
        "(omit the field instead); a priority in a table without priorities; entries marked as "
        "constant; default entries with a key; election ids that another client has; programs that "
        "cannot run.",
    ),
    "NotFound": (
        "NOT_FOUND",
        "No such device or role; an entry, member, group, session or enabled digest that does not "
        "exist; COMMIT without a saved program.",
    ),
    "AlreadyExists": (
        "ALREADY_EXISTS",
        "Inserting an entry, member, group or session that exists.",
    ),
    "PermissionDenied": (
        "PERMISSION_DENIED",
        "The client is not the primary, or its role may not do this; constant tables, entries and "
        "default actions; actions outside their scope (`@tableonly`, `@defaultonly`).",
    ),
    "ResourceExhausted": (
        "RESOURCE_EXHAUSTED",
        "A Read or Write above its limit; a full table, profile, group or value set; a group "
        "above its maximum size; too many controllers; no thread left to load a program; a new "
        "string for a translated type (`@p4runtime_translation`) whose numbers are all in use.",
    ),
    "FailedPrecondition": (
        "FAILED_PRECONDITION",
        "No program yet; a stream that changes device or role; a member or group in use.",
    ),
    "Aborted": (
        "ABORTED",
        "Another update of the same atomic batch failed; a program was loaded over Thrift in the "
        "middle of a long Write or Read.",
    ),
    "OutOfRange": (
        "OUT_OF_RANGE",
        "Values wider than their field, empty byte strings, indices past the end.",
    ),
    "Unimplemented": ("UNIMPLEMENTED", "The request needs something that is not served."),
    "Internal": (
        "INTERNAL",
        "A defect of the switch. Please report it: see [Report a "
        "defect](../contributing.md#report-a-defect).",
    ),
    "Unavailable": (
        "UNAVAILABLE",
        "The switch is shutting down, because it got a signal or a part of it failed. The message "
        "names the part.",
    ),
}
"""By the server's own names: the names of gRPC, and when a request ends with them."""

_LIMITS: tuple[tuple[str, Callable[[Numbers], str]], ...] = (
    ("size of a request", lambda of: _mib(of["request"])),
    (
        "size of an update, of a requested entity, of a message of a stream",
        lambda of: _mib(of["part"]),
    ),
    ("size of a P4Info", lambda of: _mib(of["p4info"])),
    (
        "updates in a Write, or entities in the request of a Read; the request's other fields "
        "count, too",
        lambda of: f"{of['fields']:,}",
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
            f"{of['write']:,}; with ROLLBACK_ON_ERROR {of['write'] // of['kept']:,}; with "
            f"DATAPLANE_ATOMIC {of['atomic'] // of['kept']:,}. A Write with a single "
            "update may write an array of any size"
        ),
    ),
    (
        "entities that a Read returns",
        lambda of: f"{of['read']:,}; each is returned once, even if requested twice",
    ),
    (
        "roles, with the default role",
        lambda of: (
            f"{of['roles']:,}; to make room for another role, the switch forgets roles without a "
            "controller"
        ),
    ),
    ("controllers per role, including the primary", lambda of: f"{of['controllers']:,}"),
    (
        "messages that wait for a slow controller",
        lambda of: (
            f"{of['waiting']:,}; the switch drops further messages, and logs how many. It "
            f"drops no arbitration update: instead it closes the stream"
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
    numbers |= {name: _most(limits) for name, limits in _MAX_COSTS.items()}
    return table(("what", "limit"), ((what, limit(numbers)) for what, limit in _LIMITS))


def entities() -> str:
    """All kinds of entities of the server. Raises Undescribed."""
    kinds = re.findall(
        r"^        Entity::(\w+)\(", _body(_ENTITY_SOURCE, "fn write("), re.MULTILINE
    )
    return table(("entity", "what is served"), (_of("entity", _ENTITIES, kind) for kind in kinds))


def statuses() -> str:
    """All codes that requests can end with. Raises Undescribed."""
    codes = re.findall(r"^    (\w+) = \d+,", _body(_STATUS_SOURCE, "enum Code"), re.MULTILINE)
    return table(("code", "when"), (_of("code", _STATUSES, each) for each in codes))


def methods() -> str:
    """The calls of the service beside P4Runtime. Raises Undescribed."""
    texts = described(Method, [method.name for method in Method])
    rows = ((code(method.value), texts[method.name]) for method in Method)
    return table(("method", "what it does, with which fields"), rows)


def _of(kind: str, texts: Mapping[str, tuple[str, str]], name: str) -> tuple[str, str]:
    shown, text = text_of(f"{kind} {name}", texts, name, __name__)
    return code(shown), text


def _body(path: str, head: str) -> str:
    """A block of a Rust source, up to the brace that stands alone."""
    _, found, rest = _source(path).partition(head)
    if not found:
        raise Undescribed(f"{path} has no {head}")
    return rest.partition("\n}\n")[0]


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

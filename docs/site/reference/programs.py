"""The registers, tables and packets of the P4 programs, from their P4Info and their source."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from finsy.proto import p4i

from docs.site.reference.compiled import p4info
from docs.site.reference.described import text_of
from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, one_line, table
from docs.site.reference.registers import ABOUT

_SOURCES = Path(__file__).resolve().parents[3] / "p4src"
_BUILDS = ("queue", "shared_queue", "virtual_queue")
_DECLARED = re.compile(r"\bregister\b.*\)\s+(\w+);")
# Of tables and counters.
_ABOUT = {
    "queue_selection": "The queue of the egress port that a packet takes, by its DSCP (RFC 2474).",
    "trap": "Packets to copy or redirect to the controller; see [Get "
    "packets](../how-to/exchange-packets.md#get-packets).",
    "ethernet_multicast": "Frames to a multicast address: one copy for each port of the group.",
    "ethernet_forward": "The port of a MAC address. Frames keep their 802.1Q tags.",
    "ipv4_route": "The next hop of a prefix. Addresses from 224.0.0.0 on are not routed.",
    "ipv6_route": "The next hop of a prefix. Multicast addresses are not routed.",
    "memory_size": "Size of the shared memory. The table has no key: its default action sets the "
    "size. 0 bytes: no memory is shared.",
    "memory_sharing": "The longest that a queue may be: alpha * scale of its class * free "
    "memory. A queue without an entry has no such bound.",
    "memory_class_scale": "The scale of a class; 1 without an entry.",
    "packet_in_meter": "The rate at which packets of a class may go to the controller, in packets "
    "a second. A class without a rate has no limit. See [Get "
    "packets](../how-to/exchange-packets.md#get-packets).",
    "excess_packet_ins": "Packets that the controller did not get because their class exceeded its "
    "rate, by class.",
    "martian_packets": "Packets that must not be routed, by ingress port. Their source or "
    "destination is a martian IP address, or their frame, such as an ARP request, has a "
    "multicast or broadcast address.",
    "refused_packets": "Packets that were dropped because no table forwards them, by ingress port.",
    "refused_packet_outs": "Packet-outs that were dropped, by egress port: the port is 510 or "
    "511, or the packet has no Ethernet header.",
    "bypassing_packets": "Multicast copies and clones, by egress port. The queue limit does not "
    "apply to them.",
}
_CONSTANT = re.compile(r"^const (\w+) (\w+)\s*= (\w+);", re.MULTILINE)
_FIELDS = {
    "egress_port": "The port to send the frame to; ignored if `submit_to_ingress` is 1.",
    "submit_to_ingress": "1: treat the frame like a received one, with ingress port 510.",
    "unused_pad": "0.",
    "ingress_port": "The port that received the frame.",
    "target_egress_port": "The port that the frame would have left by; 511: none.",
    "reason": "Why the controller gets the packet; see below.",
    "sequence": "The controller's number of the request; the answer has the same.",
    "record_count": "How many records follow.",
    "timestamp_us": "In an answer, the time of all its values.",
    "operation": "What to write; see below.",
    "port": "The egress port or, for one of several queues, `queue * 512 + port`.",
    "queue_limit_bytes": "In a request, the limit to write; in an answer, the limit in force.",
    "drain_rate": "In a request, the rate to write; in an answer, the rate in force.",
    "ecn_marking": "In a request, what to write; in an answer, what is in force.",
    "unsaturated_us": "The sum of `unsaturated_us` and `unsaturated_wait_us`.",
    "backlog_window": "Number of the window of minimum and maximum backlog.",
    "least_backlog_bytes": "Minimum backlog in that window.",
    "greatest_backlog_bytes": "Maximum backlog in that window.",
}
"""Of packets; the other fields are registers."""
_REASONS = {
    "FORWARDED": "A multicast group has sent the frame to port 510.",
    "MAILBOX": "The packet answers a request to the mailbox.",
    "REDIRECTED": "An entry of the table `trap` has sent the frame to the controller alone.",
    "COPIED": "An entry of the table `trap` has copied the frame.",
}
_OPERATIONS = {
    "WRITE_QUEUE_LIMIT": "Write `queue_limit_bytes`.",
    "WRITE_DRAIN_RATE": "Write `drain_rate`.",
    "START_BACKLOG_WINDOW": "Begin a new window of minimum and maximum backlog.",
    "WRITE_ECN_MARKING": "Write `ecn_marking`.",
    "SERVED": "In an answer: the switch has this port, and the fields hold its registers.",
}
_UNITS = {
    p4i.CounterSpec.Unit.BYTES: "bytes",
    p4i.CounterSpec.Unit.PACKETS: "packets",
    p4i.CounterSpec.Unit.BOTH: "packets and bytes",
}


def registers() -> str:
    """All of them; each has a description or a comment in the source. Raises Undescribed."""
    rows = (
        (code(name), _width(register), str(register.size), _builds(builds), _explanation(name))
        for name, (register, builds) in _objects("registers").items()
    )
    return table(("register", "bits", "cells", "programs", "meaning"), rows)


def tables() -> str:
    actions = _actions()
    rows = (
        (code(name), _keys(each), _of(each, actions), str(each.size), _builds(builds), _about(each))
        for name, (each, builds) in _objects("tables").items()
    )
    return table(("table", "keys", "actions", "entries", "programs", "meaning"), rows)


def counters() -> str:
    rows = (
        (code(name), _UNITS[each.spec.unit], str(each.size), _about(each))
        for name, (each, _) in _objects("counters").items()
    )
    return table(("counter", "counts", "cells", "meaning"), rows)


def meters() -> str:
    rows = (
        (code(name), str(each.size), _about(each)) for name, (each, _) in _objects("meters").items()
    )
    return table(("meter", "cells", "meaning"), rows)


def packets() -> str:
    """The fields of packets to and from controllers. Raises Undescribed."""
    rows = (
        (code(name), code(field.name), str(field.bitwidth), _meaning(field.name))
        for name, (header, _) in _objects("controller_packet_metadata").items()
        for field in header.metadata
    )
    return table(("header", "field", "bits", "meaning"), rows)


def _meaning(field: str) -> str:
    return _FIELDS.get(field) or text_of(f"field {field}", ABOUT, field, __name__)


def reasons() -> str:
    """Why a controller gets a packet. Raises Undescribed."""
    return _constants("packet_io_headers.p4", "packet_in_reason_t", "PACKET_IN_", _REASONS)


def operations() -> str:
    """What a record of the mailbox asks for. Raises Undescribed."""
    return _constants("types.p4", "mailbox_operation_t", "MAILBOX_", _OPERATIONS)


def _constants(file: str, kind: str, prefix: str, texts: Mapping[str, str]) -> str:
    """A table of the constants that a file of p4src/adaptive declares with this type."""
    rows = []
    for of, name, value in _CONSTANT.findall((_SOURCES / "adaptive" / file).read_text()):
        if of != kind:
            continue
        text = text_of(name, texts, name.removeprefix(prefix), __name__)
        rows.append((str(int(value, 0)), code(name), text))
    return table(("value", "constant", "meaning"), rows)


def _objects(kind: str) -> Mapping[str, tuple[Any, list[str]]]:
    """By name, each with the programs that have it."""
    found: dict[str, tuple[Any, list[str]]] = {}
    for build in _BUILDS:
        for each in getattr(p4info(build), kind):
            found.setdefault(each.preamble.alias, (each, []))[1].append(build)
    if not found:
        raise Undescribed(f"{kind}: no program has any")
    return found


def _actions() -> Mapping[int, Any]:
    return {each.preamble.id: each for each, _ in _objects("actions").values()}


@cache
def _comments() -> Mapping[str, str]:
    """What the source says above declarations, by the declared names."""
    files = (file for file in sorted(_SOURCES.rglob("*.p4")) if "tna" not in file.parts)
    return {name: one_line(comment) for file in files for name, comment in _explained(file)}


def _explained(file: Path) -> Iterator[tuple[str, str]]:
    """Declared names with the comment above their first line, or above their neighbors'."""
    comment, was_comment = "", False
    for line in map(str.strip, file.read_text().splitlines()):
        is_comment = line.startswith("//")
        if is_comment:
            text = line.removeprefix("//")
            comment = comment + text if was_comment else text
        elif declared := _DECLARED.search(line):
            if comment:
                yield declared[1], comment
        elif not line.startswith("@"):
            comment = ""
        was_comment = is_comment


def _explanation(register: str) -> str:
    if text := ABOUT.get(register) or _comments().get(register):
        return text
    raise Undescribed(f"register {register}: no comment stands above it in {_SOURCES.name}")


def _about(each: Any) -> str:
    name = each.preamble.alias
    return text_of(name, _ABOUT, name, __name__)


def _builds(builds: list[str]) -> str:
    return "all" if builds == [*_BUILDS] else ", ".join(map(code, builds))


def _width(register: Any) -> str:
    return str(register.type_spec.bitstring.bit.bitwidth)


def _keys(each: Any) -> str:
    kinds = p4i.MatchField.MatchType
    fields = (
        f"`{field.name}` ({kinds.Name(field.match_type).lower()}, {field.bitwidth} bits)"
        for field in each.match_fields
    )
    return ", ".join(fields)


def _of(each: Any, actions: Mapping[int, Any]) -> str:
    return ", ".join(_named(actions[reference.id]) for reference in each.action_refs)


def _named(action: Any) -> str:
    parameters: Iterator[str] = (each.name for each in action.params)
    return code(f"{action.preamble.alias}({', '.join(parameters)})")

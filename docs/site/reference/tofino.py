"""What the Tofino programs have and take of a chip, from what the compiler wrote about them."""

import re

from docs.site.reference.compiled import BUILD, p4info
from docs.site.reference.described import text_of
from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table

_CHIPS = {"tna": "Tofino 1", "t2na": "Tofino 2"}
# Of the columns in the accounts of p4src/build/tofino.
_HEADS = {"in use": "used", "of": "the chip has", "left": "free"}
_PROGRAMS = {"tna": "`tna`, Tofino 1", "t2na": "`t2na`, Tofino 2", "t2na_queue": "`t2na_queue`"}
_TOFINO_2 = "Tofino 2 only."
_TABLES = {
    "ethernet_forward": "The port of a MAC address.",
    "ipv4_route": "The next hop of a prefix.",
    "ipv6_route": "The next hop of a prefix.",
    "trap": "Packets to redirect to the controller.",
    "port_mtu": "The port's MTU in bytes on the wire. A frame whose IP header "
    "claims more counts as this long. The controller writes it.",
    "drain_rate": "The rate at which the port's queue empties. The controller writes it.",
}
_FIELDS = {
    "sequence": "The controller's number of the request; the answer has the same.",
    "operation": "What to do, as in the other programs.",
    "requests_left": "How many further requests the packet has.",
    "port": "The egress port.",
    "queue_limit_bytes": "In a request, the limit to write. In a record, the limit in force.",
    "timestamp_ns": "The chip's clock; wraps at 2^48.",
    "admitted_bytes_high": "Upper 32 bits of the admitted bytes.",
    "admitted_bytes_low": "Lower 32 bits of the admitted bytes.",
    "dropped_bytes_high": "Upper 32 bits of the dropped bytes.",
    "dropped_bytes_low": "Lower 32 bits of the dropped bytes.",
    "backlog_bytes": "Bytes in the queue. Departed bytes are admitted bytes less these.",
    "least_backlog_bytes": "Minimum backlog in the window.",
    "greatest_backlog_bytes": "Maximum backlog in the window.",
    "backlog_window": "Number of the window of minimum and maximum.",
    "active_ticks_high": f"Upper 32 bits of the active time, summed over all flows, in ticks of "
    f"2^18 ns. {_TOFINO_2}",
    "active_ticks_low": f"Lower 32 bits of this sum. {_TOFINO_2}",
    "long_ticks_high": f"Upper 32 bits of the same sum for long flows. {_TOFINO_2}",
    "long_ticks_low": f"Lower 32 bits of this sum. {_TOFINO_2}",
    "untracked_bytes_high": f"Upper 32 bits of the bytes of flows that these sums leave out. "
    f"{_TOFINO_2}",
    "untracked_bytes_low": f"Lower 32 bits of these bytes. {_TOFINO_2}",
}


def rates() -> str:
    """The rates that `drain_rate` can give a port."""
    names = [each.preamble.alias for each in p4info("tofino/tna").actions]
    rates = [name for name in names if name.startswith("gbps_")]
    if not rates:
        raise Undescribed("tna.p4info.txtpb: drain_rate has no action gbps_N")
    rows = ((code(name), f"{name.removeprefix('gbps_')} Gbit/s") for name in rates)
    return table(("action", "rate"), rows)


def tables() -> str:
    """The tables that clients can write, with their numbers of entries."""
    written = (each for each in p4info("tofino/tna").tables if not each.is_const_table)
    rows = (
        (code(name), str(each.size), text_of(f"table {name}", _TABLES, name, __name__))
        for each in written
        for name in [each.preamble.alias]
    )
    return table(("table", "entries", "meaning"), rows)


def mailbox() -> str:
    """The packets of the mailbox, field by field. Raises Undescribed."""
    rows = [
        (code(header.preamble.alias), code(field.name), str(field.bitwidth), _meaning(field.name))
        for header in p4info("tofino/t2na").controller_packet_metadata
        if header.preamble.alias.startswith("mailbox")
        for field in header.metadata
    ]
    return table(("packet", "field", "bits", "meaning"), rows)


def resources() -> str:
    """What each program takes of its chip."""
    return "\n".join(
        f"### {title}\n\n{_account(f'{build}.resources.txt')}" for build, title in _PROGRAMS.items()
    )


def beside_router() -> str:
    """What a router, the queue and both together take of a chip."""
    return "\n".join(
        f"### {chip}\n\n{_account(f'{build}.beside_router.txt')}" for build, chip in _CHIPS.items()
    )


def _account(file: str) -> str:
    """Columns of the compiler's report are two blanks apart or more."""
    lines = (BUILD / "tofino" / file).read_text().splitlines()
    heads, *rows = (re.split(r"\s{2,}", line.strip()) for line in lines)
    return table(("resource", *(_HEADS.get(head, head) for head in heads)), rows)


def _meaning(field: str) -> str:
    return text_of(field, _FIELDS, field, __name__)

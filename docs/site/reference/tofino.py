"""What the Tofino programs have and take of a chip, from what the compiler wrote about them."""

import re
from pathlib import Path

from finsy.proto import p4i
from google.protobuf import text_format

from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table

_BUILD = Path(__file__).resolve().parents[3] / "p4src" / "build" / "tofino"
_CHIPS = {"tna": "Tofino 1", "t2na": "Tofino 2"}
_PROGRAMS = {"tna": "`tna`, Tofino 1", "t2na": "`t2na`, Tofino 2", "t2na_queue": "`t2na_queue`"}
_FIELDS = {
    "sequence": "The controller's number of the request; the answer has the same.",
    "operation": "What to do, as in the other programs.",
    "requests_left": "How many requests follow this one.",
    "port": "The egress port.",
    "queue_limit_bytes": "The limit to write; in a record the limit after the request's write.",
    "timestamp_ns": "The chip's clock; wraps at 2^48.",
    "admitted_bytes_high": "Upper 32 bits of the admitted bytes.",
    "admitted_bytes_low": "Lower 32 bits of the admitted bytes.",
    "dropped_bytes_high": "Upper 32 bits of the dropped bytes.",
    "dropped_bytes_low": "Lower 32 bits of the dropped bytes.",
    "backlog_bytes": "Bytes in the queue. Departed bytes are admitted bytes less these.",
    "least_backlog_bytes": "Minimum backlog in the window.",
    "greatest_backlog_bytes": "Maximum backlog in the window.",
    "backlog_window": "Number of the window of minimum and maximum.",
}


def rates() -> str:
    """The rates that `drain_rate` can give a port."""
    found = re.findall(r'alias: "(gbps_(\d+))"', _text("tna.p4info.txtpb"))
    if not found:
        raise Undescribed("tna.p4info.txtpb: drain_rate has no action gbps_N")
    return table(("action", "rate"), ((code(name), f"{rate} Gbit/s") for name, rate in found))


def tables() -> str:
    """The tables that clients can write, with their numbers of entries."""
    written = (each for each in _p4info("tna").tables if not each.is_const_table)
    return table(
        ("table", "entries"), ((code(each.preamble.alias), str(each.size)) for each in written)
    )


def mailbox() -> str:
    """The packets of the mailbox, field by field. Raises Undescribed."""
    rows = [
        (code(header.preamble.alias), code(field.name), str(field.bitwidth), _about(field.name))
        for header in _p4info("tna").controller_packet_metadata
        if header.preamble.alias.startswith("mailbox")
        for field in header.metadata
    ]
    return table(("packet", "field", "bits", "meaning"), rows)


def resources() -> str:
    """What each program takes of its chip."""
    return "\n".join(
        f"### {title}\n\n{_account(f'{build}.resources.txt', ('in use', 'of', 'left'))}"
        for build, title in _PROGRAMS.items()
    )


def beside_router() -> str:
    """What a router, the queue and both together take of a chip."""
    heads = ("router", "queue", "both", "of", "left")
    return "\n".join(
        f"### {chip}\n\n{_account(f'{build}.beside_router.txt', heads)}"
        for build, chip in _CHIPS.items()
    )


def _account(file: str, heads: tuple[str, ...]) -> str:
    _, *lines = _text(file).splitlines()
    return table(("resource", *heads), (line.rsplit(maxsplit=len(heads)) for line in lines))


def _about(field: str) -> str:
    if field not in _FIELDS:
        raise Undescribed(f"{field}: {__name__} does not say what it is")
    return _FIELDS[field]


def _p4info(build: str) -> p4i.P4Info:
    return text_format.Parse(_text(f"{build}.p4info.txtpb"), p4i.P4Info())


def _text(file: str) -> str:
    return (_BUILD / file).read_text()

"""A P4Info in text form: where a compiler has written it, and how it is read."""

import logging
import re
from pathlib import Path

from p4abs_switch.errors import one_line
from p4abs_switch.protobuf import p4i

_LOG = logging.getLogger(__name__)
_BYTE_ORDER_MARK = "\ufeff"
_IS_JSON = "it is JSON; p4c-bm2-ss writes text to a file named ...txtpb"
# What protobuf says: a place, the line, which may be a whole file, and what it misses there.
_LONG_LINE = re.compile("(\\d+:\\d+ : )'.{80,}': (.*)")

P4INFO_ENDINGS = (".p4info.txtpb", ".p4info.txt", ".p4.p4info.txtpb", ".p4.p4info.txt")
"""Endings of a P4Info's name, in the place of the program's .json: those of p4c's driver and of its
users, and the newer and older ones of p4lang's tutorials."""


class InvalidP4Info(ValueError):
    """A text is no P4Info; says why."""


def p4info_path(program: Path) -> Path:
    """Where the P4Info of a compiler's output is: the first of these names that is there; if none
    is, the first of them."""
    names = [program.with_suffix(ending) for ending in P4INFO_ENDINGS]
    return next((name for name in names if name.exists()), names[0])


def parse_p4info(text: str) -> p4i.P4Info:
    """Reads a P4Info. Ignores fields of newer compilers and a byte order mark, with a warning.
    Raises InvalidP4Info, also for too many levels."""
    from google.protobuf import text_format  # a switch without a program need not have it

    if text.startswith(_BYTE_ORDER_MARK):
        _LOG.warning("P4Info: the byte order mark at its start is ignored")
        text = text.removeprefix(_BYTE_ORDER_MARK)
    try:
        return text_format.Parse(text, p4i.P4Info())
    except text_format.ParseError as error:
        refused = _IS_JSON if text.lstrip().startswith("{") else _shortened(str(error))
    except RecursionError as error:
        raise InvalidP4Info(str(error)) from None
    try:
        p4info = text_format.Parse(text, p4i.P4Info(), allow_unknown_field=True)
    except (text_format.ParseError, RecursionError):
        raise InvalidP4Info(refused) from None
    if not p4info.ListFields():  # something else altogether
        raise InvalidP4Info(refused)
    _LOG.warning("P4Info: unknown fields are ignored: %s", one_line(refused))
    return p4info


def _shortened(refused: str) -> str:
    return _LONG_LINE.sub(r"\1\2", one_line(refused))

"""From a test's text to its statements, one per line; `#` begins a comment.

p4c's language:

    packet PORT HEX
    expect PORT [HEX with * for any digit] [$ where it must end]
    no_packet | wait
    add TABLE [PRIORITY] KEY:VALUE... ACTION(PARAMETER:VALUE, ...) [= NAME]
    setdefault TABLE ACTION(...)
    remove all
    check_counter COUNTER(INDEX or NAME) [packets|bytes COMPARISON NUMBER]

and COMMANDS. A key's VALUE may have * for digits, or be VALUE/LENGTH. Beyond p4c's:

    add ... KEY:VALUE&&&MASK | KEY:LOW->HIGH
    add_member PROFILE NUMBER ACTION(...), then add ... member(id:NUMBER)
    add_group PROFILE NUMBER MEMBER..., then add ... group(id:NUMBER)
    check_register REGISTER(INDEX) COMPARISON NUMBER
"""

import re
from difflib import get_close_matches

from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.statements import KEYWORDS, Command, Statement, read

COMMANDS = frozenset(
    (
        *("mirroring_add", "mirroring_add_mc", "mirroring_delete", "mirroring_get"),
        *("mc_mgrp_create", "mc_node_create", "mc_node_update", "mc_node_associate"),
        *("counter_read", "counter_write", "counter_reset"),
        *("register_read", "register_write", "register_reset"),
        *("meter_get_rates", "meter_set_rates", "meter_array_set_rates"),
    )
)
"""Those of BMv2's command line that a test may have."""

_ACTION = "ACTION(PARAMETER:VALUE, ...)"
_FORMS = {
    "packet": "PORT HEX",
    "expect": "PORT [HEX]",
    "add": f"TABLE [PRIORITY] KEY:VALUE... {_ACTION}",
    "setdefault": f"TABLE {_ACTION}",
    "remove": "all",
    "add_member": f"PROFILE NUMBER {_ACTION}",
    "add_group": "PROFILE NUMBER MEMBER...",
    "check_counter": "COUNTER(INDEX) packets == NUMBER",
    "check_register": "REGISTER(INDEX) == NUMBER",
}
"""What is told of a statement that cannot be read: what stands behind its keyword."""

_COMMENT = re.compile(r'("[^"]*")|#.*')  # or a quoted name, which may have the sign in it


def parse(text: str) -> list[Statement]:
    """Reads a whole test. Raises StfError `LINE: what is wrong`."""
    statements = []
    for line, raw in enumerate(text.splitlines(), start=1):
        content = _COMMENT.sub(lambda found: found[1] or "", raw).strip()
        if content:
            try:
                statements.append(_statement(line, content))
            except StfError as error:
                raise StfError(f"{line}: {error}") from None
    return statements


def _statement(line: int, text: str) -> Statement:
    keyword, *words = text.split(maxsplit=1)
    name, rest = keyword.lower(), "".join(words)
    if name in COMMANDS:
        return Command(line, name, tuple(word.strip('"') for word in rest.split()))
    if name in KEYWORDS:
        try:
            return read(name, line, rest)
        except StfError as error:
            raise StfError(f"{error}; the form is: {name} {_FORMS.get(name, '')}".strip()) from None
    valid = sorted([*KEYWORDS, *COMMANDS])
    close = get_close_matches(name, valid)
    hint = f"did you mean {' or '.join(close)}?" if close else f"valid: {', '.join(valid)}"
    raise StfError(f"unknown statement {keyword}; {hint}")

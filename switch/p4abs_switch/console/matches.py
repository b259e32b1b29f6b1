"""Keys of entries as text, as BMv2 writes them, with their priorities."""

from collections.abc import Callable, Sequence

from p4abs_switch.console.values import hexadecimal, number_in, whole, with_colons
from p4abs_switch.errors import InputError, wrong_number
from p4abs_switch.protobuf import p4i, p4r
from p4abs_switch.runtime.matches import (
    HIGHEST_PRIORITY,
    Numbers,
    entry_of_key,
    has_priority,
    key_text,
    kind_name,
    numbers_of,
)


def take_priority(table: p4i.Table, found: list[str], count: int) -> str:
    """The priority after the `count` words of an entry's action; empty: the table has no
    priorities.

    Raises InputError.
    """
    if not has_priority(table):
        return ""
    if len(found) <= count:
        raise InputError(
            f"table {table.preamble.name}: the priority is missing; add a whole number at the end, "
            "as in `=> <parameters> 10`; the lowest one wins"
        )
    return found.pop()


def entry_in(table: p4i.Table, texts: Sequence[str], priority: str) -> p4r.TableEntry:
    """An entry without an action. Raises InputError."""
    name, number = table.preamble.name, 0
    if len(texts) != len(table.match_fields):
        wrong = wrong_number(len(texts), "key field", key_text(table))
        raise InputError(f"table {name}: {wrong}")
    if has_priority(table):
        what = f"the priority of table {name}, which is last,"
        number = whole(priority, what, HIGHEST_PRIORITY - 1)
    pairs = zip(table.match_fields, texts, strict=True)
    return entry_of_key(table, [_numbers(field, text, name) for field, text in pairs], number)


def table_kind(table: p4i.Table) -> str:
    """What BMv2 calls the table: by the one of its key's kinds that takes most to look up."""
    kinds = {kind_name(field) for field in table.match_fields}
    return next((kind for kind in ("range", "ternary", "lpm") if kind in kinds), "exact")


def match_text(
    field: p4i.MatchField, entry: p4r.TableEntry, digits: Callable[[int, int], str] = hexadecimal
) -> str:
    """A field of an entry's key, as `table_dump` shows it with these digits."""
    match (field.match_type, *numbers_of(field, entry)):
        case (p4i.MatchField.LPM, value, length):
            return f"{digits(value, field.bitwidth)}/{length}"
        case (p4i.MatchField.RANGE, low, high):
            return f"{digits(low, field.bitwidth)} -> {digits(high, field.bitwidth)}"
        case (_, value, mask):
            return f"{digits(value, field.bitwidth)} &&& {digits(mask, field.bitwidth)}"
        case (_, value):
            return digits(value, field.bitwidth)
        case _:
            return "?"


def echo(table: p4i.Table, entry: p4r.TableEntry) -> str:
    """A key that is given to an entry, as `table_add` repeats it."""
    fields = (
        f"{kind_name(field).upper()}-{match_text(field, entry, with_colons)}"
        for field in table.match_fields
    )
    return f"{'match key:':20} " + "\t".join(fields)


def _numbers(field: p4i.MatchField, text: str, table: str) -> Numbers:
    what, width = f"key field {field.name} of table {table}", field.bitwidth
    match field.match_type:
        case p4i.MatchField.EXACT:
            return (number_in(text, width, what),)
        case p4i.MatchField.LPM:
            value, length = _pair(text, "/", what, "LENGTH")
            digits = whole(length, f"prefix length of {what}", width)
            return number_in(value, width, what), digits
        case p4i.MatchField.TERNARY | p4i.MatchField.OPTIONAL:
            value, mask = _pair(text, "&&&", what)
            ones = number_in(mask, width, f"mask of {what}")
            return number_in(value, width, what), ones
        case p4i.MatchField.RANGE:
            low, high = (number_in(end, width, what) for end in _pair(text, "->", what))
            if low > high:
                raise InputError(f"{what} is {text}: its low end is above its high end")
            return low, high
        case _:
            raise InputError(f"{what}: no command can write a match of the kind {kind_name(field)}")


def _pair(text: str, separator: str, what: str, form: str = "VALUE") -> tuple[str, str]:
    first, found, second = text.partition(separator)
    if not found:
        raise InputError(f"{what} is {text!r}; valid: VALUE{separator}{form}")
    return first, second

"""A table's key as text, as BMv2 writes it: exact, lpm, ternary and range fields, and priorities.

P4Runtime leaves out fields that do not care. Its highest priority wins, BMv2's lowest one: a
priority p is said as 2^31 - 1 - p, as BMv2's own P4Runtime server does.
"""

from collections.abc import Callable, Sequence

from finsy.proto import p4i, p4r

from p4abs_switch.console.error import CommandError
from p4abs_switch.console.values import encode, hexadecimal, masked, whole, with_colons

_HIGHEST_PRIORITY = 2**31 - 1
_Kind = p4i.MatchField.MatchType
_WITH_PRIORITY = (p4i.MatchField.TERNARY, p4i.MatchField.RANGE, p4i.MatchField.OPTIONAL)


def has_priority(table: p4i.Table) -> bool:
    """Whether entries of the table have a priority."""
    return any(field.match_type in _WITH_PRIORITY for field in table.match_fields)


def take_priority(table: p4i.Table, found: list[str], count: int) -> str | None:
    """The priority behind the `count` words of what an entry leads to; None: the table has none.

    Raises CommandError.
    """
    if not has_priority(table):
        return None
    if len(found) <= count:
        raise CommandError(
            f"table {table.preamble.name}: the priority is missing: a whole number goes last, "
            "as in `=> <parameters> 10`, and the lowest one wins"
        )
    return found.pop()


def entry_of_key(table: p4i.Table, texts: Sequence[str], priority: str | None) -> p4r.TableEntry:
    """An entry without an action. Raises UserError."""
    fields = table.match_fields
    name = table.preamble.name
    if len(texts) != len(fields):
        valid = key_text(table) or "none"
        raise CommandError(f"table {name}: {len(texts)} key fields; valid: {valid}")
    entry = p4r.TableEntry(table_id=table.preamble.id)
    if has_priority(table):
        what = f"the priority of table {name}, which is last,"
        number = whole(priority or "", what, _HIGHEST_PRIORITY - 1)
        entry.priority = _HIGHEST_PRIORITY - number
    matches = (_match(field, text, name) for field, text in zip(fields, texts, strict=True))
    entry.match.extend(match for match in matches if match is not None)
    return entry


def priority_of(entry: p4r.TableEntry) -> int:
    """An entry's priority as BMv2 counts it."""
    return _HIGHEST_PRIORITY - entry.priority


def key_text(table: p4i.Table) -> str:
    """The key's fields, as `show_tables` names them."""
    return ",\t".join(
        f"{field.name}({kind_name(field)}, {field.bitwidth})" for field in table.match_fields
    )


def kind_name(field: p4i.MatchField) -> str:
    """exact, lpm, ternary or range; of others the name or the number in the P4Info.

    Optional fields are ternary ones to BMv2.
    """
    if field.match_type == p4i.MatchField.OPTIONAL:
        return "ternary"
    if field.WhichOneof("match") == "other_match_type":
        return field.other_match_type
    if field.match_type not in _Kind.values():
        return f"unknown kind {field.match_type}"
    return _Kind.Name(field.match_type).lower()


def table_kind(table: p4i.Table) -> str:
    """What BMv2 calls the table: by the one of its key's kinds that takes most to look up."""
    kinds = {kind_name(field) for field in table.match_fields}
    return next((kind for kind in ("range", "ternary", "lpm") if kind in kinds), "exact")


def match_text(
    field: p4i.MatchField, entry: p4r.TableEntry, digits: Callable[[bytes, int], str] = hexadecimal
) -> str:
    """A field of an entry's key, as `table_dump` shows it with these digits."""
    width = field.bitwidth
    zero, ones = b"", ((1 << width) - 1).to_bytes((width + 7) // 8, "big")
    found = [match for match in entry.match if match.field_id == field.id]
    match = found[0] if found else p4r.FieldMatch()
    match field.match_type:
        case p4i.MatchField.LPM:
            return f"{digits(match.lpm.value, width)}/{match.lpm.prefix_len}"
        case p4i.MatchField.TERNARY:
            mask = digits(match.ternary.mask, width)
            return f"{digits(match.ternary.value, width)} &&& {mask}"
        case p4i.MatchField.OPTIONAL:
            mask = digits(ones if found else zero, width)
            return f"{digits(match.optional.value, width)} &&& {mask}"
        case p4i.MatchField.RANGE:
            high = match.range.high if found else ones
            return f"{digits(match.range.low, width)} -> {digits(high, width)}"
        case p4i.MatchField.EXACT:
            return digits(match.exact.value, width)
        case _:
            return "?"


def echo(table: p4i.Table, entry: p4r.TableEntry) -> str:
    """A key that is given to an entry, as `table_add` repeats it."""
    fields = (
        f"{kind_name(field).upper()}-{match_text(field, entry, with_colons)}"
        for field in table.match_fields
    )
    return f"{'match key:':20} " + "\t".join(fields)


def _match(field: p4i.MatchField, text: str, table: str) -> p4r.FieldMatch | None:
    what, width = f"key field {field.name} of table {table}", field.bitwidth
    message = p4r.FieldMatch(field_id=field.id)
    match field.match_type:
        case p4i.MatchField.EXACT:
            message.exact.value = encode(text, width, what)
        case p4i.MatchField.LPM:
            value, digits = _pair(text, "/", what, "LENGTH")
            length = whole(digits, f"prefix length of {what}", width)
            mask = (1 << width) - (1 << (width - length))
            message.lpm.value = masked(encode(value, width, what), mask)
            message.lpm.prefix_len = length
            return message if length else None
        case p4i.MatchField.TERNARY | p4i.MatchField.OPTIONAL:
            return _ternary(field, text, what)
        case p4i.MatchField.RANGE:
            low, high = (encode(end, width, what) for end in _pair(text, "->", what))
            if int.from_bytes(low, "big") > int.from_bytes(high, "big"):
                raise CommandError(f"{what} is {text}: its low end is above its high end")
            message.range.low, message.range.high = low, high
            everything = int.from_bytes(high, "big") == (1 << width) - 1 and not any(low)
            return None if everything else message
        case _:
            raise CommandError(f"{what}: {kind_name(field)} has no form on this command line")
    return message


def _ternary(field: p4i.MatchField, text: str, what: str) -> p4r.FieldMatch | None:
    """Optional fields take no part of a value."""
    value_text, mask_text = _pair(text, "&&&", what)
    mask = encode(mask_text, field.bitwidth, f"mask of {what}")
    bits = int.from_bytes(mask, "big")
    value = masked(encode(value_text, field.bitwidth, what), bits)
    if bits == 0:
        return None
    if field.match_type == p4i.MatchField.TERNARY:
        ternary = p4r.FieldMatch.Ternary(value=value, mask=mask)
        return p4r.FieldMatch(field_id=field.id, ternary=ternary)
    if bits != (1 << field.bitwidth) - 1:
        raise CommandError(f"{what} is optional: mask {mask_text}; valid: 0 or all ones")
    return p4r.FieldMatch(field_id=field.id, optional=p4r.FieldMatch.Optional(value=value))


def _pair(text: str, separator: str, what: str, form: str = "VALUE") -> tuple[str, str]:
    first, found, second = text.partition(separator)
    if not found:
        raise CommandError(f"{what} is {text!r}; valid: VALUE{separator}{form}")
    return first, second

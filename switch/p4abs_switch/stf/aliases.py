"""P4Info's aliases: the shortest unique names of objects."""

from p4abs_switch.p4info_text import InvalidP4Info, parse_p4info
from p4abs_switch.stf.errors import StfError


def read_aliases(p4info: str) -> dict[str, str]:
    """From alias to full name, of a P4Info in text form. Raises StfError."""
    try:
        document = parse_p4info(p4info)
    except InvalidP4Info as error:
        raise StfError(f"is not P4Info in text form: {error}") from None
    kinds = (
        document.tables,
        document.action_profiles,
        document.registers,
        document.counters,
        document.meters,
        document.direct_counters,
    )
    return {item.preamble.alias: item.preamble.name for kind in kinds for item in kind}

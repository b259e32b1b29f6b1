"""Values of fields as people write them, for the filter of a trace."""

import ipaddress
import re

_MAC = re.compile(r"[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|[0-9]+", re.ASCII)


def hexadecimal(value: str) -> str | None:
    """The digits of a number, a MAC or an IP address; None: it is none of them."""
    if _MAC.fullmatch(value):
        return value.replace(":", "").lower()
    if _NUMBER.fullmatch(value) and len(value) <= 1024:
        return f"{int(value, 16 if value[:2].lower() == '0x' else 10):x}"
    try:
        return f"{int(ipaddress.ip_address(value)):x}"
    except ValueError:
        return None

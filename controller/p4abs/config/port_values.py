"""What a port is called, and by how much an interval may change its limit."""

import re

from p4abs.config.typed import FlagText
from p4abs.policies import MaxStep
from p4abs.units import parse_size

LONGEST_PORT_NAME = 64
_SHARE = re.compile(r"\s*(\d{1,3}(?:\.\d+)?)\s*%\s*", re.ASCII)


def panel_name(name: str) -> str:
    """The name on the front panel, such as `Ethernet1/1`. Raises ValueError."""
    if not 0 < len(name) <= LONGEST_PORT_NAME or not name.isprintable() or " " in name:
        raise ValueError(
            f"must be one word of 1 to {LONGEST_PORT_NAME} characters, such as 'Ethernet1/1'"
        )
    if name.isdigit():
        raise ValueError("must not be a number: that is how ports are told without a name")
    return name


def parse_step(value: object) -> MaxStep:
    """A size, or a share of the limit in per cent. Raises ValueError."""
    if isinstance(value, MaxStep):
        return value
    if not isinstance(value, str | FlagText):
        raise ValueError("must be a size or a share of the limit, such as '16kB' or '10%'")
    share = _SHARE.fullmatch(value)
    step = MaxStep(0, float(share[1]) / 100) if share else MaxStep(parse_size(value))
    if step == MaxStep() or step.share > 1:
        raise ValueError("must lie above 0, and not above 100%: such as '16kB' or '10%'")
    return step

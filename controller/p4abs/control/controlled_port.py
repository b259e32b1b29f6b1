"""What a control loop is told of a port."""

from dataclasses import dataclass
from typing import Any

from p4abs.control.sizer import Sizing
from p4abs.policies import Policy


@dataclass(frozen=True, slots=True)
class ControlledPort:
    """A port of a switch, its policy and the limit that it has at first, see `PortControl`."""

    port: int
    capacity_bps: int | None
    policy: Policy[Any] | None
    limit_bytes: int
    longest_interval_s: float = 1.0
    sizing: Sizing | None = None
    measures_idle: bool = True

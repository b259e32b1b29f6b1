"""What one control interval of one port measured and decided."""

from collections.abc import Mapping
from dataclasses import dataclass

from p4abs.interval import Interval
from p4abs.policies import Binding


@dataclass(frozen=True, slots=True)
class Sample:
    """One line of telemetry.

    `time_s` is the controller's clock in seconds since the Unix epoch; `limit_bytes` was in
    force during the interval, `decided_limit_bytes` is for the next one, determined by `binding`
    and `gains`; `unreachable` names a target that no buffer can meet, empty: none is known.
    `occupancy_bytes` and `queue_delay_s` (its drain time) hold at the interval's end.
    `measured_capacity_bps` is None while it is not known; then `utilization` and `queue_delay_s`
    are of the declared capacity, or None without one.
    `lateness_s` is by how much the loop overslept its deadline, `exchange_s` how long the exchange
    with the switch took, of all its ports.
    """

    time_s: float
    port: int
    interval: Interval
    measured_capacity_bps: int | None
    utilization: float | None
    loss: float
    limit_bytes: int
    occupancy_bytes: int
    queue_delay_s: float | None
    decided_limit_bytes: int
    binding: Binding
    unreachable: str
    gains: Mapping[str, float]
    lateness_s: float
    exchange_s: float

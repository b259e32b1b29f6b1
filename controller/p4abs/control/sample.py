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
    and `gains`. `occupancy_bytes` and `queue_delay_s` (its drain time) hold at the interval's end.
    `lateness_s` is by how much the loop overslept its deadline, `exchange_s` how long the exchange
    with the switch took.
    """

    time_s: float
    port: int
    interval: Interval
    utilization: float
    loss: float
    limit_bytes: int
    occupancy_bytes: int
    queue_delay_s: float
    decided_limit_bytes: int
    binding: Binding
    gains: Mapping[str, float]
    lateness_s: float
    exchange_s: float

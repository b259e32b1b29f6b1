"""Drawing of Figure 3: users, utilization and limit over time."""

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.output import figures
from p4abs_experiments.papers.adaptive_drop_tail.published import PACKET_BYTES, UTILIZATION
from p4abs_experiments.simulation.result import LinkSeries, Series

_WINDOW_S = 10.0


def plot(
    runs: Mapping[str, LinkSeries],
    active_users: Callable[[Series], Series],
    pipe_packets: float,
    capacity_bps: float,
) -> Figure:
    """`runs`: policy, series; utilization is of the last ten seconds."""
    figure, (users, used, limits) = figures.panels(3, title="A changing number of users")
    for policy, series in runs.items():
        time_s = series.time_s
        late = time_s > _WINDOW_S
        colour = figures.POLICY_STYLES[policy]["color"]
        utilization = 100 * series.utilization(capacity_bps, _WINDOW_S)
        used.plot(time_s[late], utilization[late], color=colour, label=policy, linewidth=0.9)
        packets = series.limit_bytes / PACKET_BYTES
        limits.plot(time_s, packets, color=colour, label=policy, linewidth=0.9)
    active = active_users(time_s)
    users.plot(time_s, active, color=figures.BLACK)
    figures.model(limits, time_s, pipe_packets / np.sqrt(active), "pipe/sqrt(n)")
    figures.target(used, 100 * UTILIZATION, f"target {100 * UTILIZATION:g} %")
    limits.set_yscale("log")
    figures.logarithmic(limits, x=False)
    users.set_ylabel("active users")
    used.set_ylabel("utilization (%)")
    figures.label(limits, "time (s)", "limit (packets)")
    figures.legend(used)
    figures.legend(limits)
    return figure

"""Drawing of Figure 2: limit, loss and utilization against the number of users."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from p4abs_experiments.output import figures

_AXES = {
    "limit": ("mean limit (packets)", 1.0),
    "loss": ("loss (%)", 100.0),
    "utilization": ("utilization (%)", 100.0),
}


def plot(
    n_flows: Sequence[int],
    curves: Mapping[str, Mapping[str, Sequence[float]]],
    utilization: float,
) -> Figure:
    """`curves`: quantity, policy, a value per number of users."""
    figure, axes = figures.panels(3, title="Limit, loss and utilization against users")
    for panel, (quantity, per_policy) in zip(axes, curves.items(), strict=True):
        name, factor = _AXES[quantity]
        for policy, values in per_policy.items():
            label = "stanford pipe/sqrt(n)" if policy == "stanford" else policy
            figures.curve(panel, n_flows, factor * np.asarray(values), label)
        figures.logarithmic(panel, y=quantity == "limit")
        panel.set_ylabel(name)
    figures.target(axes[-1], 100 * utilization, f"target {100 * utilization:g} %")
    axes[-1].set_xlabel("users (100 Mb/s)")
    figures.legend(axes[0])
    figures.legend(axes[-1])
    return figure

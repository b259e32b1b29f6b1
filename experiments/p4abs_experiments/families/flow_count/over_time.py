"""Pictures over time: a panel for each load, in it a line for each name."""

from collections.abc import Mapping

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Results
from p4abs_experiments.network import Scenario
from p4abs_experiments.output.figures import label, legend_below, panels
from p4abs_experiments.simulation.result import Series

Line = tuple[Series, Series]
"""Times in s, and values."""


def limits(results: Results, scenarios: Mapping[str, Scenario]) -> Mapping[str, Line]:
    """The limit in kB, in the first run of each scenario."""
    runs = {name: results.measured(each)[0].link().series for name, each in scenarios.items()}
    return {name: (run.time_s, run.limit_bytes / 1e3) for name, run in runs.items()}


def over_time(title: str, what: str, loads: Mapping[str, Mapping[str, Line]]) -> Figure:
    """Lines by load and name; `what` they show, with its unit."""
    figure, axes_of = panels(len(loads), title=title)
    for axes, (load, lines) in zip(axes_of, loads.items(), strict=True):
        for name, (time_s, values) in lines.items():
            axes.plot(time_s, values, label=name)
        label(axes, "time (s)", what, load)
    legend_below(figure, axes_of[0], columns=2)
    return figure

"""What the control loop measured: to files, to the terminal, as metrics and in one summary.

From the ground up:

- `sums`, `port_meter`: a port's figures, kept up with its samples.
- `port_states`: the state that it is in and why, and what is said when that changes.
- `configuration`: which one is in force.
- `fleet`: all switches of a run with their meters, and who watches them.
- `listing`: which ports a view shows in which order.
- `view`: what shows a run to people: `live` and `compact`, tables in a terminal, `plain`, lines;
  both write figures as `texts` says.
- `samples`: every sample to a file; `summary`: the run in a few numbers, at its end.
- `metrics`, `web`: served to Prometheus and to browsers by way of `http`, in threads of their own;
  `unhurried`: work beside the control loop that lets it go first.

What takes a server or a terminal's tables is imported from its module by who needs it: `live`,
`metrics.server`, `web.application`.
"""

from p4abs.telemetry.configuration import Configuration
from p4abs.telemetry.fleet import Fleet, WatchedSwitch, Watcher
from p4abs.telemetry.http import Access, metrics_access, read_token, web_access
from p4abs.telemetry.listing import SORTS, Selection, parse_selection
from p4abs.telemetry.metrics import Metrics
from p4abs.telemetry.plain import PlainView
from p4abs.telemetry.port_meter import PortMeter
from p4abs.telemetry.samples import Rotation, SampleFile, open_sample_file
from p4abs.telemetry.summary import Summary, summarize
from p4abs.telemetry.view import View
from p4abs.telemetry.web import Board, Releasing

__all__ = [
    "SORTS",
    "Access",
    "Board",
    "Configuration",
    "Fleet",
    "Metrics",
    "PlainView",
    "PortMeter",
    "Releasing",
    "Rotation",
    "SampleFile",
    "Selection",
    "Summary",
    "View",
    "WatchedSwitch",
    "Watcher",
    "metrics_access",
    "open_sample_file",
    "parse_selection",
    "read_token",
    "summarize",
    "web_access",
]

"""The options of a demonstration, wherever it runs; `parse_settings` understands their texts."""

import click
from p4abs.cli.options import options

demonstration_options = options(
    click.option("--flows", default="16", show_default=True, help="TCP connections."),
    click.option("--rate", default="10Mbit", show_default=True, help="Bottleneck capacity."),
    click.option(
        "--capacity-declared",
        default="",
        help="What the controller is told; the rate if not given, nothing if measured.",
    ),
    click.option(
        "--delay", default="10ms", show_default=True, help="Its propagation delay, one way."
    ),
    click.option(
        "--duration", default="60", show_default=True, help="Of the schedule, in seconds."
    ),
    click.option(
        "--congestion-control", default="reno", show_default=True, help="reno, cubic or bbr."
    ),
    click.option("--utilization", default="0.98", show_default=True, help="Target, at least."),
    click.option("--loss", default="0.02", show_default=True, help="Target, at most."),
    click.option(
        "--policy", default="abs", show_default=True, help="Sizing policy of p4abs control."
    ),
    click.option(
        "--disturb",
        default="none",
        show_default=True,
        help="In each phase: none, stall, pause, flap.",
    ),
    click.option("--headless", is_flag=True, help="Plain lines even where there is a terminal."),
)

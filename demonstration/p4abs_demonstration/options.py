"""The options of a demonstration, wherever it runs; `parse_settings` understands their texts."""

import click
from p4abs.cli.options import options

demonstration_options = options(
    click.option("--flows", default="16", show_default=True, help="Number of TCP connections."),
    click.option("--rate", default="10Mbit", show_default=True, help="Bottleneck capacity."),
    click.option(
        "--capacity-declared",
        default="",
        help="Capacity that the controller is given: a rate, or measured.  [default: the rate]",
    ),
    click.option(
        "--delay",
        default="10ms",
        show_default=True,
        help="The bottleneck's propagation delay, one way.",
    ),
    click.option(
        "--duration", default="60", show_default=True, help="Length of the schedule in seconds."
    ),
    click.option(
        "--congestion-control",
        default="reno",
        show_default=True,
        help="TCP congestion control: reno, cubic or bbr.",
    ),
    click.option(
        "--utilization",
        default="0.98",
        show_default=True,
        help="Minimum utilization of the bottleneck (target).",
    ),
    click.option("--loss", default="0.02", show_default=True, help="Maximum loss rate (target)."),
    click.option("--policy", default="abs", show_default=True, help="Sizing policy."),
    click.option(
        "--disturb",
        default="none",
        show_default=True,
        help="Disturbance in each phase: none, stall, pause, flap.",
    ),
    click.option("--headless", is_flag=True, help="Print plain lines even on a terminal."),
)

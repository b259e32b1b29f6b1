"""The options of a demonstration, wherever it runs; `parse_settings` understands their texts."""

import click
from p4abs.cli.options import options

demonstration_options = options(
    click.option(
        "--flows",
        metavar="NUMBER",
        default="16",
        show_default=True,
        help="Number of TCP connections.",
    ),
    click.option(
        "--rate", metavar="RATE", default="10Mbit", show_default=True, help="Bottleneck capacity."
    ),
    click.option(
        "--capacity-declared",
        metavar="RATE|measured",
        default="",
        help="Capacity in the controller's configuration. measured: none, so that the controller "
        "measures the capacity.  [default: the rate]",
    ),
    click.option(
        "--delay",
        metavar="DURATION",
        default="10ms",
        show_default=True,
        help="The bottleneck's propagation delay, one way.",
    ),
    click.option(
        "--duration",
        metavar="SECONDS",
        default="60",
        show_default=True,
        help="How long the four phases take together.",
    ),
    click.option(
        "--congestion-control",
        metavar="NAME",
        default="reno",
        show_default=True,
        help="TCP congestion control: reno, cubic or bbr.",
    ),
    click.option(
        "--utilization",
        metavar="SHARE",
        default="0.98",
        show_default=True,
        help="Minimum utilization of the bottleneck (target).",
    ),
    click.option(
        "--loss",
        metavar="SHARE",
        default="0.02",
        show_default=True,
        help="Maximum share of bytes that are dropped (target).",
    ),
    click.option(
        "--policy", metavar="NAME", default="abs", show_default=True, help="Sizing policy."
    ),
    click.option(
        "--disturb",
        metavar="NAME",
        default="none",
        show_default=True,
        help="What disturbs each phase once. stall: the switch stops for 1 s; pause: the senders "
        "stop for 2 s; flap: the bottleneck's link is down for 1 s; none: nothing.",
    ),
    click.option("--headless", is_flag=True, help="Print plain lines even on a terminal."),
)

"""Measures speeds and latencies and writes them down: `make bench`.

Speeds are comparisons within one run on one machine; a value that was not measured is null. The
engine's own speed counts the processor time of its thread, the speeds over virtual links count
packets that arrived, with generator, switch and receiver on the same cores; an offered rate of 0 is
as fast as the generator goes. Ratios are those of medians over rounds that alternate between the
targets.

What a live port costs is the controller's processor time per port and interval. Of that, stepping
is what lies between a port's snapshot and its limit; its ratio is that of stepping the ports by
turns. Missed deadlines are of so many intervals, in 60 s or what --live-seconds says; `stall_s` is
the longest time for which the machine itself stood still meanwhile.

A lookup's ratio compares it to one in a table of exact keys, measured by turns; that of sending
compares the switch's way to one system call for each frame.

Each `*_speed` module beside this one measures one thing: `engine_speed` the engine in process,
`lookup_speed` its tables by themselves, `simulation_speed` the engine in a simulation,
`control_speed` the exchange with the controller and its loop, `stepping_speed` the control of many
ports; `veth` forwarding over virtual links, and sending by itself; `live_ports` a fleet and its
recovery, with what is in `fleet`. `targets` starts the switches, `workloads` says what they
forward, `measurement` tells which command failed. `provision`, `exchange` and `poll` run as
processes inside of a target's namespace. `soak` and `memory` are runners of their own, of the same
names in the Makefile.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from statistics import median_low
from typing import Any

import click
import control_speed
import engine_speed
import live_ports
import lookup_speed
import simulation_speed
import stepping_speed
from measurement import measured, results_option, write
from p4abs.access.discovery import RegisterPath
from p4abs.cli import run as run_command
from rich.console import Console
from rich.table import Table
from targets import Kind, installed
from veth import forwarding, sending
from veth.blast import build_blast
from veth.forwarding import Round
from workloads import ABS, ROUTER, Workload


@click.command()
@results_option(required=True)
@click.option(
    "--live-seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=live_ports.DURATION_S,
    show_default=True,
    help="For each count of ports.",
)
def main(results: Path, live_seconds: float) -> int:
    """Measures speeds and latencies and writes them down."""
    found = measured(lambda: measure(Console(stderr=True), live_seconds))
    write(found, results)
    Console().print(table(found), f"written to {results}")
    return 0


def measure(console: Console, live_s: float) -> dict[str, Any]:
    """All measurements, one after the other: each has the machine to itself."""
    console.print("engine in process ...")
    engine = engine_speed.packets_per_s(ABS)
    router = engine_speed.packets_per_s(ROUTER)
    console.print("lookups by kind of table ...")
    lookups = lookup_speed.costs()
    console.print("simulation with the engine in the loop ...")
    simulation_s = simulation_speed.packet_times_s()
    console.print("one exchange with the controller ...")
    exchange_s = control_speed.exchange_median_s(RegisterPath.AUTO)
    register_entry_s = control_speed.exchange_median_s(RegisterPath.REGISTER_ENTRY)
    console.print("the control of many ports ...")
    stepping_s = stepping_speed.port_times_s()
    blast = build_blast()
    console.print("live ports under traffic, switches restarted, controllers killed ...")
    live = live_ports.measure(blast, live_s)
    console.print("sending on a virtual link ...")
    speeds: dict[str, Any] = {**sending.measure(blast)}
    for workload in (ABS, ROUTER):
        console.print(f"forwarding over virtual links, program {workload.name} ...")
        speeds |= veth_speeds(workload, installed(), blast)
    console.print("control loop during a demonstration ...")
    loop = control_speed.demonstration_loop()
    return {
        "host": {"machine": platform.machine(), "cores": os.cpu_count(), "cpu": cpu_model(),
                 "kernel": platform.release()},
        "engine_pps": min(engine.values()),
        "engine_pps_by_frame_bytes": engine,
        "router_engine_pps": min(router.values()),
        "router_engine_pps_by_frame_bytes": router,
        "lookup_s_by_table": {name: each.lookup_s for name, each in lookups.items()},
        "lookup_ratio_by_table": lookup_speed.ratios(lookups),
        "insertion_s_by_table": {name: each.insertion_s for name, each in lookups.items()},
        "simulation_packet_s_by_port": simulation_s,
        "simulation_p4_ratio": simulation_speed.p4_ratio(simulation_s),
        "veth_frame_bytes": forwarding.FRAME_BYTES,
        **speeds,
        "exchange_median_s": exchange_s,
        "register_entry_exchange_median_s": register_entry_s,
        "stepping_port_s_by_ports": {n: each["together"] for n, each in stepping_s.items()},
        "stepping_port_ratio_by_ports": {
            n: each["by_turns"] / each["together"] for n, each in stepping_s.items()
        },
        **live,
        "loop_lateness_p99_s": loop["lateness_p99_s"],
        "loop_missed_deadlines": loop["missed_deadlines"],
        "loop_ticks": loop["ticks"],
        "demonstration_exchange_median_s": loop["exchange_median_s"],
    }  # fmt: skip


def veth_speeds(workload: Workload, kinds: list[Kind], blast: Path) -> dict[str, Any]:
    """Speed and latency over virtual links; the names of ABS bear no prefix."""
    name = "veth" if workload is ABS else f"{workload.name}_veth"
    rounds = forwarding.measure(kinds, workload, blast)
    embedded = target_results(name, rounds[0])
    bmv2 = target_results(f"bmv2_{name}", rounds[1] if len(rounds) > 1 else ())
    pps, bmv2_pps = embedded[f"{name}_pps"], bmv2[f"bmv2_{name}_pps"]
    return embedded | bmv2 | {f"{name}_ratio": pps / bmv2_pps if bmv2_pps else None}


def target_results(name: str, rounds: Sequence[Round]) -> dict[str, Any]:
    """Medians over a target's rounds, and the rounds' speeds themselves; null without any."""
    speed = median_low([one.speed for one in rounds]) if rounds else None
    latencies = [one.latency for one in rounds]
    return {
        f"{name}_pps": speed.packets_per_s if speed else None,
        f"{name}_offered_pps": speed.offered_pps if speed else None,
        f"{name}_pps_by_round": [one.speed.packets_per_s for one in rounds] or None,
        f"{name}_latency_median_s": median_low([one.median_s for one in latencies])
            if latencies else None,
        f"{name}_latency_p99_s": median_low([one.p99_s for one in latencies])
            if latencies else None,
    }  # fmt: skip


def cpu_model() -> str:
    """As the kernel names it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "?")


def table(results: dict[str, Any]) -> Table:
    """One row per measurement."""
    shown = Table("measurement", "value", title=f"{results['host']['cpu']}, "
                  f"{results['host']['cores']} cores")  # fmt: skip
    for key, value in results.items():
        if key != "host":
            text = "not measured" if value is None else value
            shown.add_row(key, f"{text:,.6g}" if isinstance(text, float) else str(text))
    return shown


if __name__ == "__main__":
    run_command(main, "bench")

"""Measures speeds and latencies and writes them down: `make bench`.

Speeds are comparisons within one run on one machine; `peer` is who this switch is compared to, or
who is missing, whose rows and ratios are null then. The engine's own speed counts the processor
time of its thread, and its ratio compares machine code to instructions; to load a program is what a
push waits for, to compile it goes on beside the packets. Another ratio compares the program to one
that p4c compiles without the measurement of flows. The speeds over virtual links count packets that
arrived, with generator, switch and receiver on the same cores, at the offered rate that served the
target best: where all that was offered arrived, the generator was the bound. Latencies under half
load are those of all frames, at half of the rate that the target forwards. Ratios are those of
medians over rounds that alternate between the targets.

What a live port costs is the controller's processor time per port and interval. Of that, stepping
is what lies between a port's snapshot and its limit; its ratio is that of stepping the ports by
turns. Missed deadlines are of so many intervals, in 60 s or what --live-seconds says; `stall_s` is
the longest time for which the machine itself stood still meanwhile.

Forwarding is that of the ABS program, of a router and, with --tutorials, of two exercises'.

A lookup's ratio compares it to one in a table of exact keys, measured by turns; that of sending
compares the switch's way to one system call for each frame.

Each `*_speed` module beside this one measures one thing: `engine_speed` the engine in process,
`lookup_speed` its tables by themselves, `simulation_speed` the engine in a simulation,
`control_speed` the exchange with the controller and its loop, `stepping_speed` the control of many
ports; `veth` forwarding over virtual links, and sending by itself; `serving` how soon a switch
takes programs and entries and tells of them, and how soon a busy one answers and ends; `live_ports`
a fleet and its recovery, with what is in `fleet`. `targets` starts the switches, `workloads` says
what they forward, `measurement` tells which command failed. `provision`, `exchange` and `poll` run
as processes inside of a target's namespace. `soak`, `memory` and `kernel_tcp` are runners
of their own, of the same names in the Makefile.
"""

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import click
import control_speed
import engine_speed
import live_ports
import lookup_speed
import simulation_speed
import stepping_speed
from engine_speed import Speed
from measurement import in_own_process, measured, results_option, write
from p4abs.access.discovery import RegisterPath
from p4abs.cli import run as run_command
from p4abs_demonstration.measure.phases import percentile
from p4abs_switch.command_line.options import option
from rich.console import Console
from rich.table import Table
from serving import starting
from targets import installed, peer
from veth import comparison, sending
from veth.blast import build_blast
from workloads import ABS, EXERCISES, ROUTER, Workload, compile_exercises

MANY_PORTS = 100


@click.command()
@results_option(required=True)
@option(
    "--live-seconds",
    "For each count of ports.",
    type=click.FloatRange(min=0, min_open=True),
    default=live_ports.DURATION_S,
)
@option(
    "--tutorials",
    "A checkout of p4lang/tutorials: two of its exercises are measured, too.",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
)
def main(results: Path, live_seconds: float, tutorials: Path | None) -> int:
    """Measures speeds and latencies and writes them down."""
    found = measured(lambda: measure(Console(stderr=True), live_seconds, _workloads(tutorials)))
    write(found, results)
    Console().print(table(found), f"written to {results}")
    return 0


def _workloads(tutorials: Path | None) -> Sequence[Workload]:
    """What is forwarded over virtual links. Raises MeasurementFailed."""
    if tutorials is None:
        return (ABS, ROUTER)
    compile_exercises(tutorials)
    return (ABS, ROUTER, *EXERCISES)


def measure(console: Console, live_s: float, workloads: Sequence[Workload]) -> dict[str, Any]:
    """All measurements, one after the other: each has the machine to itself."""
    console.print("engine in process ...")
    engine, router = (engine_speed.measure(workload) for workload in (ABS, ROUTER))
    console.print("what it costs the engine to measure flows ...")
    flow_ratios = engine_speed.flow_ratios()
    console.print("lookups by kind of table ...")
    lookups = lookup_speed.costs()
    console.print("simulation with the engine in the loop ...")
    simulation_s = simulation_speed.packet_times_s()
    console.print("one exchange with the controller ...")
    exchanges = _exchanges()
    console.print("the control of many ports ...")
    stepping_s = stepping_speed.port_times_s()
    blast = build_blast()
    console.print("switches provisioned, kept busy, restarted, ports live, controllers killed ...")
    live = _serving() | live_ports.measure(blast, live_s)
    speeds = _speeds_on_virtual_links(console, blast, workloads)
    console.print("control loop during a demonstration ...")
    loop = control_speed.demonstration_loop()
    return {
        "host": {"machine": platform.machine(), "cores": os.cpu_count(), "cpu": cpu_model(),
                 "kernel": platform.release()},
        **_engine_rows("engine", engine),
        **_engine_rows("router_engine", router),
        "engine_flow_measurement_ratio_by_flows": flow_ratios,
        "lookup_s_by_table": {name: each.lookup_s for name, each in lookups.items()},
        "lookup_ratio_by_table": lookup_speed.ratios(lookups),
        "insertion_s_by_table": {name: each.insertion_s for name, each in lookups.items()},
        "simulation_packet_s_by_port": simulation_s,
        "simulation_p4_ratio": simulation_speed.p4_ratio(simulation_s),
        "peer": peer(),
        **speeds,
        **exchanges,
        "stepping_port_s_by_ports": {n: each["batched"] for n, each in stepping_s.items()},
        "stepping_port_ratio_by_ports": {
            n: each["per_port"] / each["batched"] for n, each in stepping_s.items()
        },
        **live,
        "loop_lateness_p99_s": loop["lateness_p99_s"],
        "loop_missed_deadlines": loop["missed_deadlines"],
        "loop_ticks": loop["ticks"],
        "demonstration_exchange_median_s": loop["exchange_median_s"],
    }  # fmt: skip


def _engine_rows(engine: str, speed: Speed) -> dict[str, Any]:
    return {
        f"{engine}_pps": min(speed.pps.values()),
        f"{engine}_pps_by_frame_bytes": speed.pps,
        f"{engine}_instructions_ratio_by_frame_bytes": speed.ratio,
        f"{engine}_load_s": speed.load_s,
        f"{engine}_compile_s": speed.compile_s,
    }


def _exchanges() -> dict[str, float]:
    mailbox_s = control_speed.exchange_durations_s(RegisterPath.AUTO)
    entries_s = control_speed.exchange_durations_s(RegisterPath.REGISTER_ENTRY)
    many_s = control_speed.exchange_durations_s(RegisterPath.REGISTER_ENTRY, MANY_PORTS)
    return {
        "exchange_median_s": median(mailbox_s),
        "register_entry_exchange_median_s": median(entries_s),
        f"register_entry_exchange_of_{MANY_PORTS}_ports_median_s": median(many_s),
        f"register_entry_exchange_of_{MANY_PORTS}_ports_p99_s": percentile(many_s, 0.99),
    }


def _serving() -> dict[str, Any]:
    provisioning, answers = map(in_own_process, ("serving.provisioning", "serving.answers"))
    return starting.rows() | provisioning | answers


def cpu_model() -> str:
    """As the kernel names it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), "?")


def _speeds_on_virtual_links(
    console: Console, blast: Path, workloads: Sequence[Workload]
) -> dict[str, Any]:
    console.print("sending on a virtual link ...")
    speeds: dict[str, Any] = {**sending.measure(blast)}
    for workload in workloads:
        console.print(f"forwarding over virtual links, program {workload.name} ...")
        speeds |= comparison.measure(workload, installed(), blast)
    return speeds


def table(results: dict[str, Any]) -> Table:
    """One row per measurement."""
    shown = Table("measurement", "value", title=f"{results['host']['cpu']}, "
                  f"{results['host']['cores']} cores")  # fmt: skip
    for key, value in results.items():
        if key != "host":
            text = f"not measured: {results['peer']}" if value is None else value
            shown.add_row(key, f"{text:,.6g}" if isinstance(text, float) else str(text))
    return shown


if __name__ == "__main__":
    run_command(main, "bench")

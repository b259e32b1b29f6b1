"""The bottleneck on BMv2, in two ways.

`bmv2`: over P4Runtime alone, with the virtual-queue program. BMv2's own queue counts packets, hides
its drops and takes its rate over Thrift only, so the real queue stands behind it: a veth pair in
the LAN's namespace that TBF shapes, and that netem delays where the kernel has it. Both queues
drain at the bottleneck's capacity, so the real one follows the virtual one and, being larger,
drops nothing itself. (Behind a link one per cent faster the real queue runs empty within a
minute, while the virtual one goes on dropping.)

    port N+1 --- uplink | bridge near | line0 --TBF--> line1 | bridge lan | receivers

`bmv2-queue`: the queue program on BMv2's own queue, whose rate simple_switch_CLI sets, in packets
per second: the capacity holds for full frames.
"""

import subprocess
from pathlib import Path

from p4abs.p4_constants import CPU_PORT
from p4abs_demonstration.dumbbell import Dumbbell
from p4abs_demonstration.settings import Settings
from p4abs_demonstration.targets.running import RunningTarget, TargetError
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testbed.namespaces import inside
from p4abs_switch.testbed.process import RunningProcess, Start
from p4abs_switch.testbed.simple_switch import SimpleSwitch, configure

FULL_FRAME_BYTES = 1514
BURST_BYTES = 2 * FULL_FRAME_BYTES
BUFFER_FACTOR = 2  # the real buffer over the oversized limit: it never drops
NO_DELAY = "this kernel has no netem and BMv2 delays nothing: no propagation delay in this run"


def start_virtual_queue(
    settings: Settings, dumbbell: Dumbbell, start: Start, logs: Path
) -> RunningTarget:
    """Starts BMv2 in front of a shaped link. Raises TargetError or ProcessFailed."""
    _shape(settings, dumbbell)
    delayed = _delay(settings, dumbbell, "line1")
    [thrift_port] = free_tcp_ports(1)
    process = _start(dumbbell, thrift_port, start, logs)
    return RunningTarget(process, "virtual_queue", "" if delayed else NO_DELAY)


def start_queue(settings: Settings, dumbbell: Dumbbell, start: Start, logs: Path) -> RunningTarget:
    """Starts BMv2 and sets its own queue's rate and depth. Raises ProcessFailed."""
    delayed = _delay(settings, dumbbell, dumbbell.far_end.uplink)
    [thrift_port] = free_tcp_ports(1)
    process = _start(dumbbell, thrift_port, start, logs)
    packets = round(BUFFER_FACTOR * settings.oversized_limit_bytes / FULL_FRAME_BYTES)
    packets_per_s = round(settings.capacity_bps / (8 * FULL_FRAME_BYTES))
    commands = [
        f"set_queue_depth {packets} {dumbbell.bottleneck_port}",
        f"set_queue_rate {packets_per_s} {dumbbell.bottleneck_port}",
    ]
    configure(commands, thrift_port)
    return RunningTarget(process, "queue", "" if delayed else NO_DELAY)


def _start(dumbbell: Dumbbell, thrift_port: int, start: Start, logs: Path) -> RunningProcess:
    [grpc_port] = free_tcp_ports(1)
    switch = SimpleSwitch(
        grpc_port, interfaces=dumbbell.interfaces, cpu_port=CPU_PORT, thrift_port=thrift_port
    )
    return switch.start(logs / "switch.log", start)


def _shape(settings: Settings, dumbbell: Dumbbell) -> None:
    """Puts the shaped line between the switch and the receivers."""
    buffer_bytes = BUFFER_FACTOR * settings.oversized_limit_bytes
    output = _far_end_says(
        dumbbell,
        "ip link add line0 type veth peer name line1 && ip link add near type bridge "
        f"&& ip link set {dumbbell.far_end.uplink} master near && ip link set line0 master near "
        "&& ip link set line1 master lan && ip link set near up "
        "&& ip link set line0 up && ip link set line1 up "
        f"&& tc qdisc add dev line0 root tbf rate {settings.capacity_bps}bit burst {BURST_BYTES} "
        f"limit {buffer_bytes}",
    )
    if output:
        raise TargetError(f"the link cannot be shaped: {' '.join(output.split())}")


def _delay(settings: Settings, dumbbell: Dumbbell, interface: str) -> bool:
    """Delays the way back by a round trip's propagation; False where the kernel has no netem."""
    delay_us = round(2 * settings.delay_s * 1e6)
    output = _far_end_says(
        dumbbell, f"tc qdisc add dev {interface} root netem delay {delay_us}us limit 100000"
    )
    return not output


def _far_end_says(dumbbell: Dumbbell, command: str) -> str:
    """Runs a shell command behind the bottleneck; what it says, which is nothing if it succeeds."""
    done = subprocess.run(
        [*inside(dumbbell.far_end.pid), "sh", "-c", command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout

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

import socket
import subprocess
from collections.abc import Sequence
from pathlib import Path

from p4abs.p4_constants import CPU_PORT

from absdemo.processes import Ledger, wait_until
from absdemo.settings import BMV2, BMV2_CLI, Settings
from absdemo.target import RunningTarget, TargetError, last_line
from absdemo.topology import Dumbbell

READY_TIMEOUT_S = 20.0
CLI_TIMEOUT_S = 20.0
FULL_FRAME_BYTES = 1514
BURST_BYTES = 2 * FULL_FRAME_BYTES
BUFFER_FACTOR = 2  # the real buffer over the oversized limit: it never drops
NO_DELAY = "this kernel has no netem and BMv2 delays nothing: no propagation delay in this run"


def start_virtual_queue(
    settings: Settings, dumbbell: Dumbbell, ledger: Ledger, logs: Path
) -> RunningTarget:
    """Starts BMv2 in front of a shaped link. Raises TargetError."""
    _shape(settings, dumbbell)
    delayed = _delay(settings, dumbbell, "line1")
    address, _ = _start(dumbbell, ledger, logs)
    return RunningTarget(address, "virtual_queue", "" if delayed else NO_DELAY)


def start_queue(
    settings: Settings, dumbbell: Dumbbell, ledger: Ledger, logs: Path
) -> RunningTarget:
    """Starts BMv2 and sets its own queue's rate and depth. Raises TargetError."""
    delayed = _delay(settings, dumbbell, dumbbell.lan_uplink)
    address, thrift_port = _start(dumbbell, ledger, logs)
    packets = round(BUFFER_FACTOR * settings.oversized_limit_bytes / FULL_FRAME_BYTES)
    packets_per_s = round(settings.capacity_bps / (8 * FULL_FRAME_BYTES))
    commands = (
        f"set_queue_depth {packets} {dumbbell.bottleneck_port}",
        f"set_queue_rate {packets_per_s} {dumbbell.bottleneck_port}",
    )
    _configure(thrift_port, commands)
    return RunningTarget(address, "queue", "" if delayed else NO_DELAY)


def _start(dumbbell: Dumbbell, ledger: Ledger, logs: Path) -> tuple[str, int]:
    """Starts BMv2; its gRPC address and its Thrift port."""
    grpc_port, thrift_port = _free_ports(2)
    address = f"127.0.0.1:{grpc_port}"
    command = [
        *(BMV2, "--no-p4", "--device-id", "1", "--thrift-port", str(thrift_port)),
        *dumbbell.interface_options(),
        *("--", "--grpc-server-addr", address, "--cpu-port", str(CPU_PORT)),
    ]
    log = logs / "switch.log"
    with log.open("wb") as output:
        process = ledger.start(command, output)
    if not wait_until(lambda: _accepts(grpc_port), process, READY_TIMEOUT_S):
        raise TargetError(f"{BMV2} does not start: {last_line(log)}")
    return address, thrift_port


def _shape(settings: Settings, dumbbell: Dumbbell) -> None:
    """Puts the shaped line between the switch and the receivers."""
    buffer_bytes = BUFFER_FACTOR * settings.oversized_limit_bytes
    output = dumbbell.lan.cmd(
        "ip link add line0 type veth peer name line1 && ip link add near type bridge "
        f"&& ip link set {dumbbell.lan_uplink} master near && ip link set line0 master near "
        "&& ip link set line1 master lan && ip link set near up "
        "&& ip link set line0 up && ip link set line1 up "
        f"&& tc qdisc add dev line0 root tbf rate {settings.capacity_bps}bit burst {BURST_BYTES} "
        f"limit {buffer_bytes}"
    )
    if output:
        raise TargetError(f"the link cannot be shaped: {' '.join(output.split())}")


def _delay(settings: Settings, dumbbell: Dumbbell, interface: str) -> bool:
    """Delays the way back by a round trip's propagation; False where the kernel has no netem."""
    delay_us = round(2 * settings.delay_s * 1e6)
    output = dumbbell.lan.cmd(
        f"tc qdisc add dev {interface} root netem delay {delay_us}us limit 100000"
    )
    return not output


def _configure(thrift_port: int, commands: Sequence[str]) -> None:
    """Runs simple_switch_CLI, which says what fails but ends with status 0 all the same."""
    result = subprocess.run(
        [BMV2_CLI, "--thrift-port", str(thrift_port)],
        input="\n".join((*commands, "")),
        capture_output=True,
        text=True,
        timeout=CLI_TIMEOUT_S,
        check=False,
    )
    if result.returncode != 0 or "Invalid" in result.stdout or "Error" in result.stdout:
        output = " ".join((result.stdout + result.stderr).split())
        raise TargetError(f"{BMV2_CLI} cannot set the queue's rate: {output}")


def _free_ports(count: int) -> list[int]:
    """TCP ports that nothing listens on at the moment."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0

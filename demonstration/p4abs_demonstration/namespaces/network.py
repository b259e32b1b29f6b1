"""The dumbbell in network namespaces, one for each sender and one for all receivers.

The switch's ends of the links are in this process's own namespace. Behind the bottleneck all
receivers share an address; it stands on a bridge, so that the link can lose its carrier and the
hosts keep their neighbours. Addresses and neighbours are static and IPv6 is off.
"""

import subprocess
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from p4abs_switch.testbed.namespaces import inside
from p4abs_switch.testbed.process import RunningProcess, Start

from p4abs_demonstration.dumbbell import Dumbbell, FarEnd, Pair
from p4abs_demonstration.hosts import IPV6_OFF
from p4abs_demonstration.namespaces.offloads import switch_off
from p4abs_demonstration.targets.running import TargetError

RECEIVERS_ADDRESS = "10.0.2.1"
RECEIVERS_MAC = "02:00:00:00:02:01"
RECEIVERS_BRIDGE = "receivers"
COMMAND_TIMEOUT_S = 20.0


class NetworkFailed(TargetError):
    """The network could not be built; one line says which command failed."""


def build(pair_count: int, host_settings: Mapping[str, str], start: Start, logs: Path) -> Dumbbell:
    """Builds the dumbbell; `host_settings` are those of its hosts, by name.

    Raises NetworkFailed or ProcessFailed.
    """
    numbers = range(1, pair_count + 1)
    bottleneck_port = pair_count + 1
    ports = range(1, bottleneck_port + 1)
    holders = _hold_namespaces(len(ports), start, logs)
    _configure([], IPV6_OFF, ["link set lo up"])
    _configure([], {}, (f"link add {_port(n)} type veth peer name {_host(n)}" for n in ports))
    for port in ports:
        _switch_off_offloads(_port(port))
        _switch_off_offloads(_host(port))
    _configure([], {}, (f"link set {_port(port)} up" for port in ports))
    moves = zip(ports, holders, strict=True)
    _configure([], {}, (f"link set {_host(port)} netns {pid}" for port, pid in moves))
    *senders, receivers = holders
    for number, pid in zip(numbers, senders, strict=True):
        _configure(inside(pid), host_settings, _sender_links(number))
    _configure(inside(receivers), host_settings, _receiver_links(_host(bottleneck_port), numbers))
    return Dumbbell(
        pairs=tuple(
            Pair(pid, receivers, RECEIVERS_ADDRESS, number)
            for number, pid in zip(numbers, senders, strict=True)
        ),
        far_end=FarEnd(receivers, _host(bottleneck_port)),
        interfaces={port: _port(port) for port in ports},
        stations={_mac(n): n for n in numbers} | {RECEIVERS_MAC: bottleneck_port},
        bottleneck_port=bottleneck_port,
        addresses={_mac(n): _address(n) for n in numbers} | {RECEIVERS_MAC: RECEIVERS_ADDRESS},
    )


def remove(dumbbell: Dumbbell) -> None:
    """Takes the links away, as one that is built next needs their names.

    The kernel does so by itself, some time after the last process of a namespace has ended.
    """
    subprocess.run(
        ["ip", "-force", "-batch", "-"],
        input="".join(f"link delete {name}\n" for name in dumbbell.interfaces.values()),
        text=True,
        capture_output=True,
        timeout=COMMAND_TIMEOUT_S,
        check=False,  # links that the kernel has removed already are no error
    )


def _hold_namespaces(count: int, start: Start, logs: Path) -> list[int]:
    """Processes, by id, that do nothing but keep a namespace each."""
    command = ("unshare", "--net", "sleep", "infinity")
    holders = [
        RunningProcess(f"namespace {number}", command, logs / f"namespace-{number}.log", start)
        for number in range(1, count + 1)
    ]
    for holder in holders:
        holder.wait_until(partial(_is_elsewhere, holder.pid), "left our namespace")
    return [holder.pid for holder in holders]


def _is_elsewhere(pid: int) -> bool:
    """Whether a process runs in another network namespace than this one."""
    try:
        return Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    except FileNotFoundError:
        return False


def _port(number: int) -> str:
    return f"port{number}"


def _host(number: int) -> str:
    return f"host{number}"


def _address(number: int) -> str:
    return f"10.0.1.{number}"


def _mac(number: int) -> str:
    return f"02:00:00:00:01:{number:02x}"


def _sender_links(number: int) -> list[str]:
    interface = _host(number)
    return [
        f"link set {interface} address {_mac(number)} up",
        f"address add {_address(number)}/16 dev {interface}",
        f"neighbour add {RECEIVERS_ADDRESS} lladdr {RECEIVERS_MAC} dev {interface}",
    ]


def _receiver_links(uplink: str, numbers: Iterable[int]) -> list[str]:
    return [
        f"link add {RECEIVERS_BRIDGE} address {RECEIVERS_MAC} type bridge",
        f"link set {uplink} master {RECEIVERS_BRIDGE} up",
        f"link set {RECEIVERS_BRIDGE} up",
        f"address add {RECEIVERS_ADDRESS}/16 dev {RECEIVERS_BRIDGE}",
        *(f"neighbour add {_address(n)} lladdr {_mac(n)} dev {RECEIVERS_BRIDGE}" for n in numbers),
    ]


def _switch_off_offloads(interface: str) -> None:
    try:
        switch_off(interface)
    except OSError as error:
        raise NetworkFailed(
            f"the offloads of {interface} cannot be switched off: {error}"
        ) from None


def _configure(where: list[str], settings: Mapping[str, str], links: Iterable[str]) -> None:
    """Writes settings that this kernel has, and runs lines of ip(8). Raises NetworkFailed."""
    files = {f"/proc/sys/{name.replace('.', '/')}": value for name, value in settings.items()}
    writes = (
        f"if [ -e {file} ]; then echo '{value}' > {file}; fi" for file, value in files.items()
    )
    try:
        done = subprocess.run(
            [*where, "sh", "-ec", "\n".join((*writes, "exec ip -batch -"))],
            input="".join(f"{line}\n" for line in links),
            capture_output=True,
            text=True,
            timeout=COMMAND_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        reason = f"ip has not ended after {COMMAND_TIMEOUT_S:g} s"
        raise NetworkFailed(f"the network cannot be built: {reason}") from None
    if done.returncode != 0:
        said = " ".join(done.stderr.split()) or f"status {done.returncode}"
        raise NetworkFailed(f"the network cannot be built: {said}")

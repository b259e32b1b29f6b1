"""How soon switches serve, and what they hold in memory; BMv2 beside, where it is on PATH.

Memory is all that is resident, rings that are shared with the kernel too, of switches that do
nothing. Many start at once, with four ports each.
"""

import re
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median_low
from typing import Any

from measurement import by_turns
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.network import GRPC_PORT, Network
from p4abs_switch.testbed.process import RunningProcess
from p4abs_switch.testbed.simple_switch import SimpleSwitch
from targets import DEVICE_ID, has_bmv2

ROUNDS = 5
FEW_PORTS, MANY_PORTS = 3, 32
SWITCHES, PORTS_EACH = 20, 4
ROWS = ("start_s", "resident_bytes", "port_resident_bytes", f"{SWITCHES}_starts_s")
# BMv2's; many switches of one namespace need as many.
THRIFT_PORT = 9090
# One of several switches, by its number and the interfaces of its ports.
Model = Callable[[int, Mapping[int, str]], EmbeddedSwitch | SimpleSwitch]
_RESIDENT = re.compile(r"^VmRSS:\s+(\d+) kB$", re.MULTILINE)


def rows() -> dict[str, Any]:
    """By target, medians of rounds that alternate; null without BMv2."""
    models: dict[str, Model] = {"switch": _own}
    if has_bmv2():
        models["bmv2"] = _bmv2
    starts = by_turns(ROUNDS, {name: partial(_start_s, model) for name, model in models.items()})
    found: dict[str, Any] = dict.fromkeys(
        f"{name}_{row}" for name in ("switch", "bmv2") for row in ROWS
    )
    for name, model in models.items():
        few, many = _resident_bytes(model, FEW_PORTS), _resident_bytes(model, MANY_PORTS)
        port_bytes = (many - few) / (MANY_PORTS - FEW_PORTS)
        values = (median_low(starts[name]), few, port_bytes, _starts_s(model))
        found |= {f"{name}_{row}": value for row, value in zip(ROWS, values, strict=True)}
    return found


def _own(number: int, interfaces: Mapping[int, str]) -> EmbeddedSwitch:
    return EmbeddedSwitch(GRPC_PORT + number, DEVICE_ID + number, interfaces)


def _bmv2(number: int, interfaces: Mapping[int, str]) -> SimpleSwitch:
    ports = {"grpc_port": GRPC_PORT + number, "thrift_port": THRIFT_PORT - number}
    return SimpleSwitch(device_id=DEVICE_ID + number, interfaces=interfaces, **ports)


def _start_s(model: Model) -> float:
    ports = range(1, FEW_PORTS + 1)
    with tempfile.TemporaryDirectory() as scratch, Network(ports) as network:
        switch = model(0, network.interfaces())
        began = time.monotonic()
        switch.start(Path(scratch, "log"), network.start)
        return time.monotonic() - began


def _resident_bytes(model: Model, ports: int) -> int:
    with tempfile.TemporaryDirectory() as scratch, Network(range(1, ports + 1)) as network:
        switch = model(0, network.interfaces())
        pid = switch.start(Path(scratch, "log"), network.start).pid
        [kilobytes] = _RESIDENT.findall(Path("/proc", str(pid), "status").read_text())
        return int(kilobytes) * 1024


def _starts_s(model: Model) -> float:
    """Until all of many switches, started at once, serve."""
    ports = range(1, SWITCHES * PORTS_EACH + 1)
    with tempfile.TemporaryDirectory() as scratch, Network(ports) as network:
        interfaces = network.interfaces()

        def start(number: int) -> RunningProcess:
            own = ports[number * PORTS_EACH : (number + 1) * PORTS_EACH]
            switch = model(number, {port: interfaces[port] for port in own})
            return switch.start(Path(scratch, f"{number}.log"), network.start)

        began = time.monotonic()
        with ThreadPoolExecutor(SWITCHES) as pool:
            list(pool.map(start, range(SWITCHES)))
        return time.monotonic() - began

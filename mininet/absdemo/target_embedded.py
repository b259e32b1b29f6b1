"""The bottleneck on the project's own switch: capacity and propagation delay are the switch's."""

import re
from pathlib import Path

from p4abs.p4_constants import CPU_PORT

from absdemo.controller import P4ABS
from absdemo.processes import Ledger, wait_until
from absdemo.settings import Settings
from absdemo.target import RunningTarget, TargetError, last_line
from absdemo.topology import Dumbbell

PROGRAM = "queue"
READY_TIMEOUT_S = 20.0
_READY = re.compile(r"^listening on (\S+)$", re.MULTILINE)


def command(settings: Settings, dumbbell: Dumbbell) -> list[str]:
    """`p4abs switch` with the bottleneck's rate, and delays both ways."""
    ports = [
        word
        for pair in dumbbell.pairs
        for word in ("--port", f"{pair.port},delay={_us(settings.return_delay_s(pair.port))}")
    ]
    bottleneck = (
        f"{dumbbell.bottleneck_port},rate={settings.capacity_bps}bit,delay={_us(settings.delay_s)}"
    )
    return [
        *P4ABS,
        "switch",
        *("--grpc-addr", "127.0.0.1:0"),
        *("--device-id", "1"),
        *("--cpu-port", str(CPU_PORT)),
        *dumbbell.interface_options(),
        *ports,
        *("--port", bottleneck),
    ]


def start(settings: Settings, dumbbell: Dumbbell, ledger: Ledger, logs: Path) -> RunningTarget:
    """Starts the switch. Raises TargetError."""
    log = logs / "switch.log"
    with log.open("wb") as output:
        process = ledger.start(command(settings, dumbbell), output)
    wait_until(lambda: _READY.search(log.read_text()) is not None, process, READY_TIMEOUT_S)
    ready = _READY.search(log.read_text())
    if ready is None:
        raise TargetError(f"the switch does not start: {last_line(log)}")
    return RunningTarget(ready[1], PROGRAM)


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.0f}us"

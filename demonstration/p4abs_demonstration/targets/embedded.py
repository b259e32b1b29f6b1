"""The bottleneck on the project's own switch: capacity and propagation delay are the switch's."""

from pathlib import Path

from p4abs.p4_constants import CPU_PORT
from p4abs_switch._engine import default_memory_bytes
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.process import Start

from p4abs_demonstration.dumbbell import Dumbbell
from p4abs_demonstration.settings import Settings
from p4abs_demonstration.targets.running import RunningTarget

PROGRAM = "queue"


def start(
    settings: Settings, dumbbell: Dumbbell, start_process: Start, logs: Path
) -> RunningTarget:
    """Starts the switch. Raises ProcessFailed."""
    links = _links(settings, dumbbell)
    switch = EmbeddedSwitch(interfaces=dumbbell.interfaces, links=links, cpu_port=CPU_PORT)
    return RunningTarget(
        switch.start(logs / "switch.log", start_process), settings.program or PROGRAM
    )


def _links(settings: Settings, dumbbell: Dumbbell) -> dict[int, str]:
    """Rate, delay and memory of the bottleneck; the delay of each sender's way back.

    The memory never bounds the queue; the limit does, before ABS and with it.
    """
    delays = {
        pair.port: f"delay={_us(settings.return_delay_s(pair.port))}" for pair in dumbbell.pairs
    }
    memory = max(2 * settings.oversized_limit_bytes, default_memory_bytes(settings.capacity_bps))
    bottleneck = f"rate={settings.capacity_bps}bit,delay={_us(settings.delay_s)},memory={memory}B"
    return delays | {dumbbell.bottleneck_port: bottleneck}


def _us(seconds: float) -> str:
    return f"{seconds * 1e6:.0f}us"

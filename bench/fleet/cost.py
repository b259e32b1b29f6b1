"""What live ports cost their controller, and how well it keeps time."""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from measurement import output
from p4abs.access.discovery import RegisterPath
from p4abs_switch.testbed.process import ends_with_parent

from fleet.controller import INTERVAL_S, Controller
from fleet.switches import CONTROLLER_CORE, SWITCH_CORE, Switches

# By register paths; the embedded switch's server is too slow for more by RegisterEntry.
COUNTS: Mapping[RegisterPath, Sequence[int]] = {
    RegisterPath.MAILBOX: (1, 10, 100, 1000),
    RegisterPath.REGISTER_ENTRY: (1, 10, 100),
}
_WITNESS = Path(__file__).with_name("witness.py")


@dataclass(frozen=True)
class Cost:
    """Of so many ports on all switches together.

    `port_s` is the controller's processor time per port and interval. Intervals and missed
    deadlines are sums over the switches, the lateness is that of the switch that fared worst.
    `stall_s` is the longest time that the machine itself stood still.
    """

    port_s: float
    intervals: int
    missed_deadlines: int
    lateness_p99_s: float
    stall_s: float


def cost(switches: Switches, path: RegisterPath, count: int, duration_s: float) -> Cost:
    """Of `count` ports, spread evenly over as many of the switches as it takes.

    Raises ProcessFailed and MeasurementFailed.
    """
    most = switches.model.switches
    ports = [len(range(index, count, most)) for index in range(min(count, most))]
    witnesses = [_witness(core) for core in sorted({SWITCH_CORE, CONTROLLER_CORE})]
    scratch = switches.scratch / f"{path}-{count}"
    options = ("--register-path", path)
    controller = Controller(switches, ports, scratch, *options)
    begin_s, begin_cpu_s = time.monotonic(), controller.processor_time_s()
    time.sleep(duration_s)
    used_s = controller.processor_time_s() - begin_cpu_s
    intervals = (time.monotonic() - begin_s) / INTERVAL_S
    loops = controller.end().values()
    stall_s = max([_seen_by(witness) for witness in witnesses])
    return Cost(
        used_s / count / intervals,
        sum(loop["ticks"] for loop in loops),
        sum(loop["missed_deadlines"] for loop in loops),
        max(loop["lateness_p99_s"] for loop in loops),
        stall_s,
    )


def _witness(core: int) -> subprocess.Popen[str]:
    witness = subprocess.Popen(
        ends_with_parent((sys.executable, str(_WITNESS), str(core))),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert witness.stdout is not None
    witness.stdout.readline()  # it looks
    return witness


def _seen_by(witness: subprocess.Popen[str]) -> float:
    witness.terminate()
    printed, _ = witness.communicate()
    return float(output(subprocess.CompletedProcess(witness.args, witness.returncode, printed)))

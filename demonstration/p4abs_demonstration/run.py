"""`p4abs demo` from an empty network namespace to its measurements."""

import contextlib
import shutil

from p4abs.access.program import load_program

from p4abs_demonstration.generators import find_generator
from p4abs_demonstration.hosts import host_settings
from p4abs_demonstration.interruption import ignore_signals, interruptible
from p4abs_demonstration.measure.measurements import Measurements
from p4abs_demonstration.namespaces import network
from p4abs_demonstration.namespaces.processes import Processes
from p4abs_demonstration.report.progress import Display
from p4abs_demonstration.settings import LOGS, Settings, SettingsError
from p4abs_demonstration.stage import FAILURES, Cast, perform
from p4abs_demonstration.targets import embedded, routes
from p4abs_demonstration.traffic import check_congestion_control

__all__ = ["FAILURES", "check_machine", "run"]

_PACKAGES = {
    "ip": "iproute2",
    "unshare": "util-linux",
    "nsenter": "util-linux",
    "setpriv": "util-linux",
}


def check_machine(settings: Settings) -> None:
    """Whether this machine has what the demonstration needs. Raises UserError."""
    for tool, package in _PACKAGES.items():
        if shutil.which(tool) is None:
            raise SettingsError(f"{tool} is not installed (Debian package {package})")
    check_congestion_control(settings.congestion_control)
    if settings.program:
        routes.entries(routes.tables_of(load_program(settings.program).p4info), ())


def run(settings: Settings, show: Display) -> Measurements:
    """Runs it in this process's network namespace. Whatever happens, nothing of it stays.

    Raises one of FAILURES, or Interrupted.
    """
    with interruptible(), Processes() as processes, contextlib.ExitStack() as stack:
        stack.callback(ignore_signals)
        show.say(f"building a dumbbell of {settings.pairs} senders ...")
        logs = settings.results / LOGS
        dumbbell = network.build(settings.pairs, host_settings(settings), processes.start, logs)
        cast = Cast(dumbbell, embedded.start, find_generator(), processes.start, logs)
        return perform(settings, show, cast)

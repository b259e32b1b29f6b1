"""One demonstration from an empty machine to its measurements, and back to an empty machine."""

import contextlib

from p4abs_demonstration.generators import Iperf3
from p4abs_demonstration.hosts import host_settings
from p4abs_demonstration.interruption import ignore_signals, interruptible
from p4abs_demonstration.measure.measurements import Measurements
from p4abs_demonstration.report.progress import Display
from p4abs_demonstration.settings import LOGS, Settings
from p4abs_demonstration.stage import FAILURES, Cast, perform
from p4abs_demonstration.targets import embedded

from absdemo import bmv2, topology
from absdemo.ledger import exclusive

__all__ = ["FAILURES", "run"]

TARGETS = {
    "embedded": embedded.start,
    "bmv2": bmv2.start_virtual_queue,
    "bmv2-queue": bmv2.start_queue,
}


def run(settings: Settings, show: Display) -> Measurements:
    """Runs the demonstration. Whatever happens, nothing of it is left running or configured."""
    with interruptible(), exclusive() as ledger, contextlib.ExitStack() as stack:
        topology.remove_leftovers()
        net = topology.create()
        stack.callback(topology.destroy, net)
        stack.callback(ledger.end_all)
        stack.callback(ignore_signals)
        show.say(f"building a dumbbell of {settings.pairs} senders and receivers ...")
        dumbbell = topology.build(net, settings.pairs, host_settings(settings))
        logs = settings.results / LOGS
        cast = Cast(dumbbell, TARGETS[settings.target], Iperf3(), ledger.start, logs)
        return perform(settings, show, cast)

"""What a switch, its control loop and its ports did since the controller was started."""

from p4abs.control import Sample
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.metrics.histogram import Histogram
from p4abs.telemetry.metrics.port_totals import PortTotals

_LATENESS_BOUNDS_S = (0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1.0)
_EXCHANGE_BOUNDS_S = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


class SwitchTotals:
    """Sums of a switch's samples, and the switch itself."""

    def __init__(self, switch: WatchedSwitch) -> None:
        self.switch = switch
        self.ports = {port.number: PortTotals() for port in switch.settings.port}
        self.lateness_s = Histogram(_LATENESS_BOUNDS_S)
        self.exchange_s = Histogram(_EXCHANGE_BOUNDS_S)

    def add(self, sample: Sample) -> None:
        """One port's interval."""
        self.ports[sample.port].add(sample)
        self.exchange_s.add(sample.exchange_s)

    def tick(self) -> None:
        """The work of a control interval is done."""
        loop = self.switch.controller.loop
        if loop is not None:
            self.lateness_s.add(loop.statistics.lateness_s[-1])

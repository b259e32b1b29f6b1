"""What shows a run to people."""

from p4abs.telemetry.fleet import Fleet, Watcher
from p4abs.telemetry.summary import Summary


class View(Watcher):
    """Shows all switches of a run, from `start` to `stop`; messages at any time."""

    def start(self, fleet: Fleet) -> None:
        """Called once, before control begins."""

    def stop(self) -> None:
        """Called once, at the end."""

    def conclude(self, summary: Summary) -> None:
        """Shows how the run went, after `stop`."""

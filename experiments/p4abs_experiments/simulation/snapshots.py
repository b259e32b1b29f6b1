"""What the controller is told of a port of the simulator."""

from p4abs.measurements import Snapshot

from p4abs_experiments.simulation.ns3 import Port


def snapshot_of(port: Port) -> Snapshot:
    """All that is measured there, now; a new window of the backlog begins."""
    return Snapshot(
        *port.snapshot(), *port.start_backlog_window(), port.marked_bytes(), *port.flow_counts()
    )

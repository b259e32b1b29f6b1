"""What tells the series of a metric of ports apart: `switch`, `port` and, where several queues of a
port are under control, `queue`."""

from typing import NamedTuple

from p4abs.config import PortSettings


def names_with(*more: str) -> list[str]:
    """The names of a family's labels."""
    return ["switch", "port", *more, "queue"]


class SeriesOf(NamedTuple):
    """A port's; where it has no `queue`, the last name gets no value: there is no such label."""

    switch: str
    port: str
    queue: str | None

    def labels(self, *more: str) -> list[str]:
        """The values, in the order of `names_with`."""
        queue = [] if self.queue is None else [self.queue]
        return [self.switch, self.port, *more, *queue]


def series_of(switch: str, port: PortSettings) -> SeriesOf:
    """The series of a port, or of one of its queues."""
    queue = None if port.queue is None else str(port.queue.number)
    return SeriesOf(switch, str(port.number), queue)

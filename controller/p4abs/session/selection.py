"""Keeps the entries by which packets take their queues as a switch's settings ask."""

from collections import defaultdict

from p4abs.access.tables import Selected, Selection, SelectionTable, Upkeep
from p4abs.config import SwitchSettings
from p4abs.control import SwitchControl
from p4abs.queues import QueueAddress, port_text


def selection_of(settings: SwitchSettings) -> Selection:
    """The entries that the settings ask for; of ports that are only observed, none."""
    return {
        Selected(port.number, code_point): port.queue.number
        for port in settings.port
        if port.queue is not None and not port.is_observed
        for code_point in port.queue.dscp
    }


class QueueSelection(Upkeep[SwitchSettings, SelectionTable]):
    """Keeps one switch's entries.

    Entries that others have written stay, unless they are for the same packets. Those that an
    earlier configuration asked for are deleted, also those of an earlier run. The entries of a port
    change together, when all its queues have limits: no packet takes a queue that has none yet.
    """

    topic = "dscp"

    def restore(self) -> None:
        """Checks entries and limits again, because the switch may have lost them."""
        self._without_limit = {
            port.index
            for port in self._settings.port
            if port.queue is not None and not port.is_observed
        }
        super().restore()

    def look(self, control: SwitchControl) -> None:
        """After a control interval: ports whose queues all have limits now get their entries."""
        before = self._waiting()
        self._without_limit = {
            index for index in self._without_limit if not control.limit_in_force(index)
        }
        if self._waiting() != before:
            self._to_write.set()

    def _waiting(self) -> set[int]:
        """Ports with a queue that has no limit yet."""
        return {QueueAddress.at(index).port for index in self._without_limit}

    async def _write(self) -> None:
        if self._table is None or self._settings.is_observed:
            return
        kept = self._waiting() | {port.number for port in self._settings.port if port.is_observed}
        wanted = selection_of(self._settings)
        ready = {at: queue for at, queue in wanted.items() if at.port not in kept}
        if gone := await self._table.write(ready, kept):
            self._say(f"dscp: entries of an earlier configuration deleted: {_text(gone)}")


def _text(entries: Selection) -> str:
    """The code points of each queue."""
    code_points = defaultdict[str, list[str]](list)
    for (port, code_point), queue in sorted(entries.items()):
        code_points[port_text(QueueAddress(port, queue).index)].append(f"{code_point}")
    return "; ".join(f"{', '.join(every)} of {queue}" for queue, every in code_points.items())

"""What the controller has written about the bottleneck port, sample by sample."""

import csv
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Sample:
    """One control interval of the bottleneck port.

    time_s: end of the interval, on a clock that the reader chooses.
    backlog_bytes: what stood in the queue at that moment.
    limit_bytes: the queue limit in force during the interval.
    unreachable: a target that no buffer can meet, in the policy's words; empty: none is known.
    """

    time_s: float
    duration_s: float
    admitted_bytes: int
    dropped_bytes: int
    departed_bytes: int
    backlog_bytes: int
    limit_bytes: int
    binding: str
    unreachable: str = ""

    def queue_delay_s(self, capacity_bps: float) -> float:
        """How long the last byte of the queue has to wait."""
        return 8 * self.backlog_bytes / capacity_bps


class SampleFile:
    """Follows a file that `p4abs control --samples` writes; its times are since 1970."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._header: list[str] = []

    def read(self) -> list[Sample]:
        """The samples that have been added since the last call, complete lines only."""
        if not self._path.exists():
            return []
        with self._path.open("rb") as file:
            file.seek(self._offset)
            added = file.read()
        complete = added[: added.rfind(b"\n") + 1]
        self._offset += len(complete)
        rows = list(csv.reader(complete.decode().splitlines()))
        if rows and not self._header:
            self._header = rows.pop(0)
        return [_sample(dict(zip(self._header, row, strict=True))) for row in rows]


def _sample(row: dict[str, str]) -> Sample:
    return Sample(
        time_s=float(row["time_s"]),
        duration_s=float(row["interval_s"]),
        admitted_bytes=int(row["admitted_bytes"]),
        dropped_bytes=int(row["dropped_bytes"]),
        departed_bytes=int(row["departed_bytes"]),
        backlog_bytes=int(row["occupancy_bytes"]),
        limit_bytes=int(row["limit_bytes"]),
        binding=row["binding"],
        unreachable=row["unreachable"],
    )

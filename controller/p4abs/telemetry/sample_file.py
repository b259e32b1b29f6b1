"""Samples as CSV or JSON lines, one line each, with the same names and units in both.

| name | meaning |
|---|---|
| time_s | end of the interval by the controller's clock, seconds since the Unix epoch |
| switch | its name |
| port | egress port |
| interval_s | length of the interval by the data plane's clock |
| admitted_bytes, dropped_bytes, departed_bytes | what the port did in the interval |
| marked_bytes | what was marked instead of dropped (ECN), part of the admitted bytes |
| idle_s | for how long the link had nothing to send |
| least_backlog_bytes, greatest_backlog_bytes | extremes of what stood in the queue |
| measured_capacity_bps | the link's capacity as measured |
| utilization | 1 - idle / interval; if that is not measured, 8 departed / (capacity interval) |
| loss | dropped / (admitted + dropped), 0 when nothing arrived |
| limit_bytes | queue limit in force during the interval |
| occupancy_bytes | bytes in the queue at its end |
| queue_delay_s | the time these take to drain |
| decided_limit_bytes | queue limit for the next interval |
| binding | what determined it: utilization, loss, max_delay, min_limit, max_limit, fixed |
| unreachable | a target that no buffer can meet, and why; else empty |
| gain_utilization, gain_loss | the policy's gains; not known for a policy without |
| agreements_broken | how many of the port's agreements are; the next three are of its worst |
| agreement_compliance | share of the windows of its last period that were kept |
| agreement_error_budget | share of the failures that a period allows and that are left |
| agreement_burn_rate | how fast that is being used; at 1 it lasts for a period |
| lateness_s | by how much the control loop overslept the deadline |
| exchange_s | how long the exchange with the switch took, of all its ports |

What is not known is empty (CSV) or null.
"""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from p4abs.control import Sample
from p4abs.errors import UserError
from p4abs.telemetry.fleet import WatchedSwitch, Watcher
from p4abs.telemetry.port_agreements import PortAgreements

FLUSH_INTERVAL_S = 1.0
COLUMNS = (
    "time_s",
    "switch",
    "port",
    "interval_s",
    "admitted_bytes",
    "dropped_bytes",
    "departed_bytes",
    "marked_bytes",
    "idle_s",
    "least_backlog_bytes",
    "greatest_backlog_bytes",
    "measured_capacity_bps",
    "utilization",
    "loss",
    "limit_bytes",
    "occupancy_bytes",
    "queue_delay_s",
    "decided_limit_bytes",
    "binding",
    "unreachable",
    "gain_utilization",
    "gain_loss",
    "agreements_broken",
    "agreement_compliance",
    "agreement_error_budget",
    "agreement_burn_rate",
    "lateness_s",
    "exchange_s",
)

Value = str | int | float | None


class SampleFile(Watcher):
    """An open file of samples, used as a context manager; at most 1 s of samples is unwritten."""

    def __init__(self, stream: TextIO, write: Callable[[tuple[Value, ...]], object]) -> None:
        self._stream = stream
        self._write = write
        self._flushed_s = 0.0

    def sample(self, switch: WatchedSwitch, sample: Sample) -> None:
        """Appends one sample, and how the port's agreements stand after it."""
        agreements = switch.meters[sample.port].agreements
        self._write(_row(switch.name, sample, agreements))
        if sample.time_s - self._flushed_s >= FLUSH_INTERVAL_S:
            self._stream.flush()
            self._flushed_s = sample.time_s

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._stream.close()


def open_sample_file(path: Path) -> SampleFile:
    """Creates the file; its name ends in .csv or .jsonl. Raises UserError."""
    if path.suffix not in (".csv", ".jsonl"):
        raise UserError(f"{path}: a sample file's name ends in .csv or .jsonl")
    try:
        stream = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    if path.suffix == ".csv":
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(COLUMNS)
        return SampleFile(stream, table.writerow)
    return SampleFile(stream, lambda row: stream.write(_json_line(row)))


def _json_line(row: tuple[Value, ...]) -> str:
    return json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n"


def _row(switch: str, sample: Sample, agreements: PortAgreements) -> tuple[Value, ...]:
    return (
        round(sample.time_s, 6),
        switch,
        sample.port,
        sample.interval.duration_s,
        sample.interval.admitted_bytes,
        sample.interval.dropped_bytes,
        sample.interval.departed_bytes,
        sample.interval.marked_bytes,
        _rounded(sample.interval.idle_s),
        sample.interval.least_backlog_bytes,
        sample.interval.greatest_backlog_bytes,
        sample.measured_capacity_bps,
        _rounded(sample.utilization),
        round(sample.loss, 6),
        sample.limit_bytes,
        sample.occupancy_bytes,
        _rounded(sample.queue_delay_s),
        sample.decided_limit_bytes,
        sample.binding.value,
        sample.unreachable,
        sample.gains.get("utilization"),
        sample.gains.get("loss"),
        *_agreement_values(agreements),
        round(sample.lateness_s, 6),
        round(sample.exchange_s, 6),
    )


def _agreement_values(agreements: PortAgreements) -> tuple[Value, Value, Value, Value]:
    worst = agreements.worst
    if worst is None:
        return (None, None, None, None)
    return (
        agreements.broken,
        _rounded(worst.compliance),
        round(worst.error_budget, 6),
        round(worst.burn_rate, 6),
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)

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
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from p4abs.control import Sample
from p4abs.errors import UserError
from p4abs.telemetry.background import Background
from p4abs.telemetry.fleet import WatchedSwitch, Watcher
from p4abs.telemetry.port_agreements import PortAgreements
from p4abs.telemetry.unhurried import unhurried

FLUSH_INTERVAL_S = 1.0
MOST_WAITING = 500
"""Control intervals of a switch whose samples wait to be written: 10 s of 20 ms."""

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
_Agreement = tuple[Value, Value, Value, Value]
_NO_AGREEMENT: _Agreement = (None, None, None, None)
_Told = tuple[str, Iterable[Sample], Mapping[int, _Agreement]]
"""A switch's samples of a control interval, with the agreements of ports that have some."""


class SampleFile(Watcher):
    """An open file of samples, used as a context manager.

    It is written by a thread of its own, at most 1 s of samples later. Where that falls behind,
    samples are left out, and where it fails, the rest of them: both are said.
    """

    def __init__(
        self,
        stream: TextIO,
        write: Callable[[tuple[Value, ...]], object],
        say: Callable[[str], None],
    ) -> None:
        self._stream = stream
        self._write = write
        self._say = say
        self._flushed_s = 0.0
        self._left_out = 0
        self._has_failed = False
        self._background = Background(self._append, MOST_WAITING)

    def sampled(self, switch: WatchedSwitch, samples: Iterable[Sample]) -> None:
        """Hands them to the thread, with how the ports' agreements stand after them."""
        agreements = {
            port: _agreement_values(meter.agreements)
            for port, meter in switch.meters.items()
            if meter.agreements.terms
        }
        if self._background.failure is not None:
            self._fail(self._background.failure)
        elif not self._background.offer((switch.name, samples, agreements)):
            if not self._left_out:
                self._say(f"{self._stream.name}: writing falls behind, samples are left out")
            self._left_out += sum(1 for _ in samples)
        elif self._left_out:
            self._say(f"{self._stream.name}: {self._left_out} samples were left out")
            self._left_out = 0

    def _append(self, told: _Told) -> None:
        switch, samples, agreements = told
        for sample in unhurried(samples):
            self._write(_row(switch, sample, agreements.get(sample.port, _NO_AGREEMENT)))
            if sample.time_s - self._flushed_s >= FLUSH_INTERVAL_S:
                self._stream.flush()
                self._flushed_s = sample.time_s

    def _fail(self, error: OSError) -> None:
        if not self._has_failed:
            self._has_failed = True
            self._say(f"{self._stream.name}: {error.strerror}: no more samples are written")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self._background.close()
        if self._left_out:
            self._say(f"{self._stream.name}: {self._left_out} samples were left out")
        try:
            self._stream.close()
        except OSError as error:
            self._fail(error)


def open_sample_file(path: Path, say: Callable[[str], None]) -> SampleFile:
    """Creates the file; its name ends in .csv or .jsonl. Raises UserError.

    `say` gets what people should know of it, in one line.
    """
    if path.suffix not in (".csv", ".jsonl"):
        raise UserError(f"{path}: a sample file's name ends in .csv or .jsonl")
    try:
        stream = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    if path.suffix == ".csv":
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(COLUMNS)
        return SampleFile(stream, table.writerow, say)
    return SampleFile(stream, lambda row: stream.write(_json_line(row)), say)


def _json_line(row: tuple[Value, ...]) -> str:
    return json.dumps(dict(zip(COLUMNS, row, strict=True))) + "\n"


def _row(switch: str, sample: Sample, agreement: _Agreement) -> tuple[Value, ...]:
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
        *agreement,
        round(sample.lateness_s, 6),
        round(sample.exchange_s, 6),
    )


def _agreement_values(agreements: PortAgreements) -> _Agreement:
    worst = agreements.worst
    if worst is None:
        return _NO_AGREEMENT
    return (
        agreements.broken,
        _rounded(worst.compliance),
        round(worst.error_budget, 6),
        round(worst.burn_rate, 6),
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)

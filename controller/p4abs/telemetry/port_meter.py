"""The ports' figures, smoothed for people's eyes and summed up for summary, metrics and page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from p4abs.agreements import Terms
from p4abs.columns import Positions
from p4abs.control import Sample, Samples
from p4abs.control.memory.lending import MemoryUse
from p4abs.telemetry.port_agreements import PortAgreements
from p4abs.telemetry.sums import Sums, no_sums, sums_of

SMOOTHING_S = 1.0


class SwitchMeter:
    """Utilization and loss as ratios of sums that fade with a time constant of 1 s.

    The mean of ratios would not be the ratio of sums: loss comes in bursts. One thread adds
    samples, others may read.
    """

    def __init__(self, terms: Mapping[int, Sequence[Terms]]) -> None:
        """Of ports by number with what was agreed on them."""
        count = len(terms)
        self.totals = no_sums(count)
        """Sums of all samples by rows, see `Sums`; a column for each port."""
        self.recent = no_sums(count)
        self._memory: MemoryUse | None = None
        self._numbers: Sequence[int] = ()
        self._positions = self._places = np.arange(count)
        self._latest: NDArray[np.object_] = np.full(count, None)
        self._agreements = [PortAgreements(port, own) for port, own in terms.items()]
        self.agreement_figures = self._figures()
        """A row for each port, see `PortAgreements`; replaced, never changed."""
        self._has_agreed = np.array([bool(own) for own in terms.values()], np.bool_)
        self.ports: Mapping[int, PortMeter] = {
            port: PortMeter(self, position, self._agreements[position])
            for position, port in enumerate(terms)
        }

    def adopt(self, terms: Mapping[int, Sequence[Terms]]) -> None:
        """Judges these agreements on the same ports from now on."""
        for port, own in terms.items():
            meter = self.ports[port]
            meter.agreements.adopt(own)
            self._has_agreed[meter.position] = bool(own)
        self.agreement_figures = self._figures()

    def add(self, samples: Samples) -> list[str]:
        """Takes the next samples; lines for people, on agreements that are broken by them."""
        ports, amounts = self.positions(samples), sums_of(samples)
        fading = np.exp(-samples.steps.intervals.duration_s / SMOOTHING_S)
        self.recent[:, ports] = self.recent[:, ports] * fading + amounts
        self.totals[:, ports] += amounts
        self._memory = samples.steps.memory
        # numpy would take what can be iterated for an array.
        latest = np.empty((), np.object_)
        latest[()] = samples
        self._latest[ports] = latest
        return self._agree(samples, ports)

    def positions(self, samples: Samples) -> Positions:
        """Where the samples' ports stand here; a run's samples name its ports in one order."""
        if samples.numbers is not self._numbers:
            places = {port: position for position, port in enumerate(self.ports)}
            self._positions = np.array([places[port] for port in samples.numbers], np.intp)
            self._places = np.argsort(self._positions)
            self._numbers = samples.numbers
        positions: Positions = self._positions[samples.steps.ports]
        return positions

    def last(self, position: int) -> Sample | None:
        """A port's newest sample; None before the first one."""
        samples: Samples | None = self._latest[position]
        if samples is None:
            return None
        return samples.row(int(np.searchsorted(samples.steps.ports, self._places[position])))

    def held_bytes(self, position: int) -> int | None:
        """What a port holds of the memory that ports share; None: they share none."""
        if self._memory is None:
            return None
        held_bytes: int = self._memory.held_bytes[self._places[position]].item()
        return held_bytes

    def held_by(self, position: int) -> str:
        """Who holds the rest of it; empty: ports share none."""
        return "" if self._memory is None else self._memory.words(int(self._places[position]))

    def _figures(self) -> NDArray[np.float64]:
        return np.array([each.figures() for each in self._agreements])

    def _agree(self, samples: Samples, ports: Positions) -> list[str]:
        rows = np.flatnonzero(self._has_agreed[ports])
        if not len(rows):
            return []
        intervals = samples.steps.intervals.take(rows)
        known = (_known(column[rows]) for column in (samples.utilization, samples.queue_delay_s))
        lines, judged = [], []
        for port, *told in zip(ports[rows].tolist(), intervals, *known, strict=True):
            said = self._agreements[port].add(*told)
            if said is not None:
                lines += said
                judged.append(port)
        if judged:
            figures = self.agreement_figures.copy()
            figures[judged] = [self._agreements[port].figures() for port in judged]
            self.agreement_figures = figures
        return lines


@dataclass(frozen=True)
class PortMeter:
    """One port of a `SwitchMeter`; `agreements` say how those of the port stand."""

    switch: SwitchMeter
    position: int
    agreements: PortAgreements

    @property
    def last(self) -> Sample | None:
        """The newest sample; None before the first one."""
        return self.switch.last(self.position)

    @property
    def recent(self) -> Sums:
        """Of about the last second."""
        return Sums(*self.switch.recent[:, self.position].tolist())

    @property
    def total(self) -> Sums:
        """Over all samples."""
        return Sums(*self.switch.totals[:, self.position].tolist())

    def totals(self) -> dict[str, Any]:
        """Over all samples: duration_s, utilization, loss, mean_limit_bytes (by time), agreements
        by name; and the measured_capacity_bps of the last one. None: not known."""
        total, last = self.total, self.last
        return {
            "duration_s": total.duration_s,
            "utilization": total.utilization,
            "loss": total.loss,
            "mean_limit_bytes": total.mean_limit_bytes,
            "measured_capacity_bps": last.measured_capacity_bps if last else None,
            "agreements": self.agreements.totals(),
        }


def _known(values: NDArray[np.float64]) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]

"""The ports' figures, smoothed for people's eyes and summed up for summary, metrics and page; how
agreements on them stand.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from p4abs.agreements import AgreementState, Standing, Terms, step
from p4abs.columns import ByPort, Positions
from p4abs.control import Sample, Samples
from p4abs.control.memory.lending import MemoryUse
from p4abs.measurements import Interval
from p4abs.queues import port_text
from p4abs.telemetry.sums import Sums, no_sums, sums_of


class PortAgreements:
    """Takes a port's intervals; knows how each of its agreements stands. Other threads may ask."""

    def __init__(self, port: int, terms: Sequence[Terms]) -> None:
        self._port = port
        self._judged: tuple[tuple[Terms, AgreementState], ...] = ()
        self.adopt(terms)

    def adopt(self, terms: Sequence[Terms]) -> None:
        """Judges these from now on; an agreement that is the same as before goes on."""
        known = dict(self._judged)
        self._judged = tuple((each, known.get(each, AgreementState())) for each in terms)

    def add(
        self, interval: Interval, utilization: float | None, queue_delay_s: float | None
    ) -> list[str] | None:
        """Takes the next interval; a line for each agreement that it breaks. None: no window has
        ended."""
        lines: list[str] = []
        judged: list[tuple[Terms, AgreementState]] = []
        has_ended = False
        for terms, before in self._judged:
            after = step(terms, before, interval, utilization, queue_delay_s)
            judged.append((terms, after))
            has_ended |= after.standing is not before.standing
            if after.standing.breaches > before.standing.breaches:
                lines.append(f"{port_text(self._port)}: {_breach(terms, after.standing)}")
        self._judged = tuple(judged)
        return lines if has_ended else None

    def standings(self) -> list[tuple[Terms, Standing]]:
        """How each agreement stands."""
        return [(terms, state.standing) for terms, state in self._judged]

    def totals(self) -> dict[str, dict[str, Any]]:
        """Over all samples, by name: compliance, and counts of windows and of breaches."""
        return {
            terms.name: {
                "compliance": standing.overall_compliance,
                "windows_judged": standing.judged,
                "windows_failed": standing.failed,
                "breaches": standing.breaches,
                "error_budget": standing.error_budget,
                "burn_rate": standing.burn_rate,
            }
            for terms, standing in self.standings()
        }

    @property
    def worst(self) -> Standing | None:
        """The agreement with the least error budget; None: there is no agreement."""
        standings = (standing for _, standing in self.standings())
        return min(standings, key=lambda each: each.error_budget, default=None)

    @property
    def broken(self) -> int:
        """How many agreements are broken now."""
        return sum(standing.is_broken for _, standing in self.standings())

    def figures(self) -> tuple[float, float, float, float]:
        """How many are broken; compliance, error budget and burn rate of the worst. NaN: none."""
        worst = self.worst
        if worst is None:
            return nan, nan, nan, nan
        compliance = nan if worst.compliance is None else worst.compliance
        return self.broken, compliance, worst.error_budget, worst.burn_rate


def _breach(terms: Terms, standing: Standing) -> str:
    return (
        f"agreement {terms.name} is broken: more than {terms.failures_allowed:g} of "
        f"{terms.windows} windows failed; last: {standing.reason}"
    )


SMOOTHING_S = 1.0


class Order(NamedTuple):
    """How samples name their ports: the `positions` here of theirs, and their `places` of ours.

    -1: the samples do not have this port.
    """

    numbers: Sequence[int]
    positions: Positions
    places: Positions


class SwitchMeter(ByPort):
    """Utilization and loss as ratios of sums that fade with a time constant of 1 s.

    The mean of ratios would not be the ratio of sums: loss comes in bursts. One thread adds
    samples, others may read. A port that has left keeps its position for its return, so the
    positions of the others never change.
    """

    _by_port = ("totals", "recent", "_latest", "_agreements", "_has_agreed")

    def __init__(self, terms: Mapping[int, Sequence[Terms]]) -> None:
        """A meter for ports, by number, with their agreements."""
        count = len(terms)
        self._numbers = [*terms]
        self.totals = no_sums(count)
        """Sums of all samples by rows, see `Sums`; a column for each port."""
        self.recent = no_sums(count)
        self._last: Samples | None = None
        self._order = self._order_of(())
        self._latest: NDArray[np.object_] = np.full(count, None)
        self._agreements = [PortAgreements(port, own) for port, own in terms.items()]
        self.agreement_figures = self._figures()
        """A row for each port, see `PortAgreements`; replaced, never changed."""
        self._has_agreed = np.array([bool(own) for own in terms.values()], np.bool_)
        self.ports: Mapping[int, PortMeter] = {
            port: PortMeter(self, position, self._agreements[position])
            for position, port in enumerate(terms)
        }

    def adopt(self, terms: Mapping[int, Sequence[Terms]], begun: Collection[int] = ()) -> Positions:
        """These are the ports from now on, with these agreements.

        Those that have `begun` begin anew; returns their positions.
        """
        new = [port for port in terms if port not in self.ports]
        self.join(SwitchMeter({port: () for port in new}))
        self._numbers += new
        anew = np.array([self._numbers.index(port) for port in begun], np.intp)
        self.totals[:, anew] = self.recent[:, anew] = 0.0
        self._latest[anew] = None
        ports = dict(self.ports)
        for port, position in zip(begun, anew.tolist(), strict=True):
            self._agreements[position] = PortAgreements(port, ())
            ports[port] = PortMeter(self, position, self._agreements[position])
        self.ports = ports
        for port, own in terms.items():
            meter = self.ports[port]
            meter.agreements.adopt(own)
            self._has_agreed[meter.position] = bool(own)
        self.agreement_figures = self._figures()
        self._order = self._order_of(self._order.numbers)
        return anew

    def add(self, samples: Samples) -> list[str]:
        """Takes the next samples; lines for people, on agreements that are broken by them."""
        ports, amounts = self.positions(samples), sums_of(samples)
        fading = np.exp(-samples.steps.intervals.duration_s / SMOOTHING_S)
        self.recent[:, ports] = self.recent[:, ports] * fading + amounts
        self.totals[:, ports] += amounts
        self._last = samples
        # numpy would take what can be iterated for an array.
        latest = np.empty((), np.object_)
        latest[()] = samples
        self._latest[ports] = latest
        return self._agree(samples, ports)

    def positions(self, samples: Samples) -> Positions:
        """Where the samples' ports stand here; a run's samples name its ports in one order."""
        if samples.numbers is not self._order.numbers:
            self._order = self._order_of(samples.numbers)
        positions: Positions = self._order.positions[samples.steps.ports]
        return positions

    def _order_of(self, numbers: Sequence[int]) -> Order:
        """Ports that are about to leave the samples may have no position here."""
        known = {port: position for position, port in enumerate(self._numbers)}
        positions = np.array([known.get(port, -1) for port in numbers], np.intp)
        places = np.full(len(known), -1)
        has_place = np.flatnonzero(positions >= 0)
        places[positions[has_place]] = has_place
        return Order(numbers, positions, places)

    def last(self, position: int) -> Sample | None:
        """A port's newest sample; None before the first one."""
        samples: Samples | None = self._latest[position]
        if samples is None:
            return None
        order = self._order
        if samples.numbers is not order.numbers:
            order = self._order_of(samples.numbers)
        return samples.row(int(np.searchsorted(samples.steps.ports, order.places[position])))

    def held_bytes(self, position: int) -> int | None:
        """What a port holds of the memory that ports share; None: they share none."""
        memory, place = self._place_in_memory(position)
        return None if memory is None else int(memory.held_bytes[place])

    def held_by(self, position: int) -> str:
        """Who holds the rest of it; empty: ports share none."""
        memory, place = self._place_in_memory(position)
        return "" if memory is None else memory.words(place)

    def _place_in_memory(self, position: int) -> tuple[MemoryUse | None, int]:
        """None: the port has no place in it, or not yet."""
        samples, order = self._last, self._order
        if samples is None or samples.steps.memory is None:
            return None, -1
        if samples.numbers is not order.numbers:
            order = self._order_of(samples.numbers)
        place = int(order.places[position]) if position < len(order.places) else -1
        return (samples.steps.memory if place >= 0 else None), place

    def _figures(self) -> NDArray[np.float64]:
        return np.array([each.figures() for each in self._agreements])

    def _agree(self, samples: Samples, ports: Positions) -> list[str]:
        rows = np.flatnonzero(self._has_agreed[ports])
        if not len(rows):
            return []
        intervals = samples.steps.intervals.take(rows)
        known = (_known(column[rows]) for column in (samples.utilization, samples.queue_delay_s))
        lines, judged = [], []
        for port, *told in zip(ports[rows].tolist(), intervals.each(), *known, strict=True):
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
        return Sums.of(self.switch.recent[:, self.position].tolist())

    @property
    def total(self) -> Sums:
        return Sums.of(self.switch.totals[:, self.position].tolist())

    def totals(self) -> dict[str, Any]:
        """Over all samples: duration_s, utilization, loss, mean_limit_bytes (by time), agreements
        by name; and the measured_capacity_bps of the last one. None: not known."""
        total, last = self.total, self.last
        return {
            "duration_s": total.duration_s,
            "utilization": total.utilization,
            "loss": total.loss if last else None,
            "mean_limit_bytes": total.mean_limit_bytes if last else None,
            "measured_capacity_bps": last.measured_capacity_bps if last else None,
            "agreements": self.agreements.totals(),
        }


def _known(values: NDArray[np.float64]) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]

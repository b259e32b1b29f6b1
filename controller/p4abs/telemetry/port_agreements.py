"""The agreements of one port, kept up with its samples."""

from collections.abc import Sequence
from math import nan
from typing import Any

from p4abs.agreements import AgreementState, Standing, Terms, step
from p4abs.measurements import Interval
from p4abs.queues import port_text


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

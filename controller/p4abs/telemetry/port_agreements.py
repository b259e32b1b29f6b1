"""The agreements of one port, kept up with its samples."""

from collections.abc import Sequence
from typing import Any

from p4abs.agreements import AgreementState, Standing, Terms, step
from p4abs.control import Sample


class PortAgreements:
    """Takes a port's samples; knows how each of its agreements stands."""

    def __init__(self, terms: Sequence[Terms]) -> None:
        self.terms = tuple(terms)
        self._states = [AgreementState()] * len(self.terms)

    def add(self, sample: Sample) -> list[str]:
        """Takes the next sample; a line for each agreement that it breaks."""
        lines = []
        for index, terms in enumerate(self.terms):
            before = self._states[index]
            after = step(terms, before, sample.interval, sample.utilization, sample.queue_delay_s)
            self._states[index] = after
            if after.standing.breaches > before.standing.breaches:
                lines.append(f"port {sample.port}: {_breach(terms, after.standing)}")
        return lines

    def standings(self) -> list[tuple[str, Standing]]:
        """How each agreement stands, by name."""
        return [
            (terms.name, state.standing)
            for terms, state in zip(self.terms, self._states, strict=True)
        ]

    def totals(self) -> dict[str, dict[str, Any]]:
        """Over all samples, by name: compliance, and counts of windows and of breaches."""
        return {
            name: {
                "compliance": standing.overall_compliance,
                "windows_judged": standing.judged,
                "windows_failed": standing.failed,
                "breaches": standing.breaches,
                "error_budget": standing.error_budget,
                "burn_rate": standing.burn_rate,
            }
            for name, standing in self.standings()
        }

    @property
    def worst(self) -> Standing | None:
        """The agreement with the least error budget; None: there is no agreement."""
        if not self._states:
            return None
        return min((state.standing for state in self._states), key=lambda each: each.error_budget)

    @property
    def broken(self) -> int:
        """How many agreements are broken now."""
        return sum(state.standing.is_broken for state in self._states)


def _breach(terms: Terms, standing: Standing) -> str:
    return (
        f"agreement {terms.name} is broken: more than {terms.failures_allowed:g} of "
        f"{terms.windows} windows failed; last: {standing.reason}"
    )

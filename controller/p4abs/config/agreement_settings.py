"""`[[port.agreement]]`: what is promised of a port."""

from typing import Annotated, Self

from pydantic import model_validator

from p4abs.agreements import MAX_WINDOWS, SHORTEST_WINDOW_S, AgreementError, Terms
from p4abs.config.values import SHARE, AgreementName, Duration, Number, Table, Values
from p4abs.units import format_duration

# `Terms` refuses the others.
_Share = Annotated[Number, SHARE]
_Percentage = Annotated[Number, Values("a number from 1 to below 100", "{:g}".format)]
_Window = Annotated[
    Duration,
    Values(f"a duration of at least {format_duration(SHORTEST_WINDOW_S)}", format_duration),
]
_Period = Annotated[Duration, Values(f"a duration of 1 to {MAX_WINDOWS} windows", format_duration)]


class AgreementSettings(Table):
    """`[[port.agreement]]`: what is promised of a port in each window, and in how many of them."""

    name: AgreementName
    """What messages, views and metrics call the agreement."""
    utilization: _Share | None = None
    """The link is busy for at least this share of the time. Default: not promised."""
    loss: _Share | None = None
    """At most this share of the offered bytes is dropped. Default: not promised."""
    delay: Duration | None = None
    """`percentile` % of the admitted bytes wait in the queue no longer than this. Default: not
    promised."""
    percentile: _Percentage = 99.0
    """The percentage of the admitted bytes for which `delay` holds."""
    window: _Window = 10.0
    """The length of a window. Each window succeeds or fails as a whole."""
    period: _Period = 3600.0
    """The time over which failed windows are counted."""
    objective: _Share = 0.99
    """The share of a period's windows that must succeed. The rest is the error budget."""
    void_above: _Share | None = None
    """Windows with a higher utilization than this are not judged: the agreement does not cover
    them. Default: all windows are judged."""

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if self.delay is None and "percentile" in self.model_fields_set:
            raise ValueError(f"agreement {self.name}: percentile needs a delay; give delay")
        try:
            self.terms()
        except AgreementError as error:
            raise ValueError(f"agreement {self.name}: {error}") from None
        return self

    def terms(self) -> Terms:
        return Terms(
            name=self.name,
            utilization=self.utilization,
            loss=self.loss,
            delay_s=self.delay,
            percentile=self.percentile,
            window_s=self.window,
            period_s=self.period,
            objective=self.objective,
            void_above=self.void_above,
        )

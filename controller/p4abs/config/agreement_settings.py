"""`[[port.agreement]]`: what is promised of a port."""

from typing import Annotated, Self

from pydantic import AfterValidator, model_validator

from p4abs.agreements import AgreementError, Terms
from p4abs.config.typed import Number
from p4abs.config.values import Duration, Table, short_name


class AgreementSettings(Table):
    """`[[port.agreement]]`: what is promised of a port in each window, and in how many of them."""

    name: Annotated[str, AfterValidator(short_name)]
    utilization: Number | None = None
    loss: Number | None = None
    delay: Duration | None = None
    percentile: Number = 99.0
    window: Duration = 10.0
    period: Duration = 3600.0
    objective: Number = 0.99
    void_above: Number | None = None

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if self.delay is None and "percentile" in self.model_fields_set:
            raise ValueError(f"agreement {self.name}: percentile is that of a delay: give delay")
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

"""One window of an agreement: what the port did in it, and whether that was as promised."""

from typing import NamedTuple

from p4abs.agreements.terms import Terms
from p4abs.measurements import Interval
from p4abs.units import format_duration


class Window(NamedTuple):
    """Sums over the intervals of a window so far.

    `known_s` is the time with a known utilization, `busy_s` the part of it in which the link was
    not idle; `delayed_bytes` were admitted while the delay was known, `late_bytes` of them while
    it was longer than promised.
    """

    duration_s: float = 0.0
    known_s: float = 0.0
    busy_s: float = 0.0
    offered_bytes: int = 0
    dropped_bytes: int = 0
    delayed_bytes: int = 0
    late_bytes: int = 0

    def plus(
        self,
        terms: Terms,
        interval: Interval,
        utilization: float | None,
        queue_delay_s: float | None,
    ) -> "Window":
        """With one more interval; its utilization and delay are None where not known."""
        duration_s, admitted_bytes = interval.duration_s, interval.admitted_bytes
        total_s, known_s, busy_s, offered_bytes, dropped_bytes, delayed_bytes, late_bytes = self
        if utilization is not None:
            known_s += duration_s
            busy_s += utilization * duration_s
        if queue_delay_s is not None:
            delayed_bytes += admitted_bytes
            if terms.delay_s is not None and queue_delay_s > terms.delay_s:
                late_bytes += admitted_bytes
        return Window(
            total_s + duration_s,
            known_s,
            busy_s,
            offered_bytes + admitted_bytes + interval.dropped_bytes,
            dropped_bytes + interval.dropped_bytes,
            delayed_bytes,
            late_bytes,
        )

    def judge(self, terms: Terms) -> str | None:
        """What was not as promised; empty: all was, as far as it is known.

        None: the window is void. Nothing arrived, or the agreement does not bind in it, or nothing
        is known about what was promised.
        """
        utilization = self.busy_s / self.known_s if self.known_s else None
        if self.offered_bytes == 0 or _is_above(utilization, terms.void_above):
            return None
        reasons = (self._utilization(terms, utilization), self._loss(terms), self._delay(terms))
        judged = [reason for reason in reasons if reason is not None]
        return ", ".join(filter(None, judged)) if judged else None

    # Each gives None for what is not agreed or not known, and an empty text for what was kept.

    def _utilization(self, terms: Terms, utilization: float | None) -> str | None:
        if terms.utilization is None or utilization is None:
            return None
        if utilization >= terms.utilization:
            return ""
        return f"utilization {utilization:.2%} below {terms.utilization:.2%}"

    def _loss(self, terms: Terms) -> str | None:
        if terms.loss is None:
            return None
        loss = self.dropped_bytes / self.offered_bytes
        return f"loss {loss:.2%} above {terms.loss:.2%}" if loss > terms.loss else ""

    def _delay(self, terms: Terms) -> str | None:
        if terms.delay_s is None or not self.delayed_bytes:
            return None
        late_percent = 100 * self.late_bytes / self.delayed_bytes
        if late_percent <= terms.late_percent:
            return ""
        limit = format_duration(terms.delay_s)
        return (
            f"delay above {limit} for {late_percent:.4g}% of the bytes; "
            f"the agreement allows {terms.late_percent:.4g}%"
        )


def _is_above(share: float | None, bound: float | None) -> bool:
    return share is not None and bound is not None and share > bound

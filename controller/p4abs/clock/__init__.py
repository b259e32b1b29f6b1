"""Time."""

from p4abs.clock.clock import Clock, MonotonicClock

__all__ = ["Clock", "MonotonicClock"]

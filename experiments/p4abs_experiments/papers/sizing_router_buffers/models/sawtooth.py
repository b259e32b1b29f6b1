"""One long flow: the fluid sawtooth of Appendix B.

Appenzeller, Keslassy, McKeown, "Sizing router buffers", section 2 and Appendix B. Windows and
queues are in packets, rates in packets/s, times in seconds; `pipe` is 2 T_p C.
Equation (9) describes the window while the link is busy. Below the pipe the link idles and the
window grows by one packet per propagation time; the paper leaves that case (Figure 5) without a
formula, the ones below follow from the same model.
"""

import math


def busy_window(since_s: float, start: float, rate: float) -> float:
    """Equation (9), from any `start` at or above the pipe: sqrt(2 C t + W(0)^2)."""
    return math.sqrt(2 * rate * since_s + start**2)


def peak_window(pipe: float, buffer: float) -> float:
    return pipe + buffer


def trough_window(pipe: float, buffer: float) -> float:
    """The window after the loss: half the peak."""
    return peak_window(pipe, buffer) / 2


def period_s(pipe: float, buffer: float, rate: float) -> float:
    """Time between losses; 1.5 B^2 / C for a buffer of one pipe."""
    trough = trough_window(pipe, buffer)
    idle_s = max(pipe - trough, 0) * pipe / rate
    return idle_s + (peak_window(pipe, buffer) ** 2 - max(trough, pipe) ** 2) / (2 * rate)


def utilization(pipe: float, buffer: float, rate: float) -> float:
    """The share of time-and-capacity that one flow uses; 3/4 without a buffer, 1 from B = pipe."""
    trough = min(trough_window(pipe, buffer), pipe)
    idle_s = (pipe - trough) * pipe / rate
    mean_idle_use = (trough + pipe) / 2 / pipe
    return 1 - idle_s * (1 - mean_idle_use) / period_s(pipe, buffer, rate)


def window_series(pipe: float, buffer: float, rate: float, times_s: list[float]) -> list[float]:
    """The window at `times_s` after a loss, over as many periods as they cover."""
    period = period_s(pipe, buffer, rate)
    trough = trough_window(pipe, buffer)
    idle_s = max(pipe - trough, 0) * pipe / rate

    def window(since_s: float) -> float:
        if since_s < idle_s:
            return trough + since_s * rate / pipe
        return busy_window(since_s - idle_s, max(trough, pipe), rate)

    return [window(time_s % period) for time_s in times_s]

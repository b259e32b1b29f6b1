"""The figures that the paper prints; the plotted ones are not readable from its text.

Its table of equation (6) gives 99.99988 % for 1.5 x: the equation gives 99.9877 %, so a digit
too many was printed (1 x and 2 x agree to the last digit).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RouterMeasurement:
    """One row of Figure 15: the buffer, and utilization as fractions."""

    n_flows: int
    multiple: float
    buffer_packets: int
    model: float
    simulated: float
    measured: float


_FIGURE_15 = """
100 0.5  64  96.9  94.7  94.9
100 1   129  99.9  99.3  98.1
100 2   258 100    99.9  99.8
100 3   387 100    99.8  99.7
200 0.5  46  98.8  97.0  98.6
200 1    91  99.9  99.2  99.7
200 2   182 100    99.8  99.8
200 3   273 100   100    99.8
300 0.5  37  99.5  98.6  99.6
300 1    74 100    99.3  99.8
300 2   148 100    99.9  99.8
300 3   222 100   100   100
400 0.5  32  99.7  99.2  99.5
400 1    64 100    99.8 100
400 2   128 100   100   100
400 3   192 100   100    99.9
"""


def _row(line: str) -> RouterMeasurement:
    n_flows, multiple, packets, *percent = line.split()
    model, simulated, measured = (float(value) / 100 for value in percent)
    return RouterMeasurement(
        int(n_flows), float(multiple), int(packets), model, simulated, measured
    )


FIGURE_15 = tuple(_row(line) for line in _FIGURE_15.strip().splitlines())
FIGURE_15_PIPE_PACKETS = 1291
"""RTT x C of section 5.2.1: 100 ms of 1500-byte packets at 155 Mb/s."""
LINECARD_FIFO_PACKETS = 43
"""Footnote 10: 64 kB of the line card's transmit FIFO hold packets."""

FIGURE_4_BUFFER_PACKETS = 142
FIGURE_4_RATE_PACKETS_PER_S = 1000
FIGURE_4_PERIOD_S = 30.2
"""Appendix B: "T = 1.5 142^2 / 1000 = 30.2, which fits the observed value"."""

"""The sixteen agreements, and the loads and buffers that they are held against."""

from itertools import product

from p4abs_experiments.papers.sla_perspective import published, settings
from p4abs_experiments.papers.sla_perspective.sla import Agreement

DELAYS_S = (published.SLA_TIGHT[0], 0.010, 0.020, published.SLA_LOOSE[0])
LOSSES = (published.SLA_TIGHT[1], 0.005, 0.010, published.SLA_LOOSE[1])
"""The thresholds; the paper's text names the outer ones only."""

LOADS = (
    settings.WEB_LOADS[0],
    settings.LITTLE_UDP_LOAD,
    settings.SLOW_UDP_LOADS[0],
    settings.FAST_UDP_LOADS[0],
    settings.WEB_LOADS[1],
    settings.SLOW_UDP_LOADS[1],
)
"""All mixes at 60 %, two at 90 %, where agreements hardly ever bind; the paper's text does not name
its six scenarios."""

COLUMNS = (*(setting.name for setting in settings.DROP_TAIL), "ABS")


def agreements() -> list[Agreement]:
    """All sixteen, by delay, then by loss."""
    return [Agreement(delay_s, loss) for delay_s, loss in product(DELAYS_S, LOSSES)]


def describe(agreement: Agreement) -> str:
    return f"{1e3 * agreement.delay_s:g} ms, {100 * agreement.loss:g} %"

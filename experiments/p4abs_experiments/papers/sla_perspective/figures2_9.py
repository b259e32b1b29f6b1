"""Which figures show which loads at which buffers (sections 4.1 to 4.3).

Figures 5, 6 and 9 show flows of the runs of figures 2, 3 and 8, and are panels of them. Figures 4
and 7 repeat 3 and 6 with another maker's router; a simulation has no makers.
"""

from p4abs_experiments.papers.sla_perspective import settings
from p4abs_experiments.papers.sla_perspective.aggregate import AggregateProfile
from p4abs_experiments.papers.sla_perspective.per_flow import PerFlow
from p4abs_experiments.papers.sla_perspective.scale import SCALE

_SOURCE = "Sommers, Barford, Greenberg and Willinger 2006"
_SCALED = f"Simulated at 1/{SCALE} of the OC3 link and of its flows."

FIGURE_2 = AggregateProfile(
    name="seed004-figure2",
    title="Long flows, drop tail: profiles of the aggregate and per flow",
    source=f"{_SOURCE}, Figures 2 and 5",
    claim="Throughput hardly depends on buffer and load; delay grows with the buffer and loss with "
    "the load. All are steady over time. Per flow, throughput does depend on the load and loss on "
    f"load and buffer, and flows differ widely. {_SCALED}",
    loads=settings.LONG_LOADS,
    buffers=settings.DROP_TAIL,
    per_flow=PerFlow("figure5", "Long flows, drop tail: profiles per flow"),
)
FIGURE_3 = AggregateProfile(
    name="seed004-figure3",
    title="Web-like traffic, drop tail: profiles of the aggregate and per user",
    source=f"{_SOURCE}, Figures 3, 4, 6 and 7",
    claim="Web-like traffic has the same profiles as long flows, on either router. A flow's "
    f"throughput falls as the load rises, too. {_SCALED}",
    loads=settings.WEB_LOADS,
    buffers=settings.DROP_TAIL,
    per_flow=PerFlow("figure6", "Web-like traffic, drop tail: profiles per user", transfers=True),
)
FIGURE_8 = AggregateProfile(
    name="seed004-figure8",
    title="Long flows, RED: profiles of the aggregate and per flow",
    source=f"{_SOURCE}, Figures 8 and 9",
    claim="With recommended settings RED depends less on its size than drop tail does and is "
    "better in throughput or delay, about equal in loss. Per flow it is comparable to drop tail. "
    f"{_SCALED}",
    per_flow=PerFlow("figure9", "Long flows, RED: profiles per flow"),
    loads=settings.LONG_LOADS,
    buffers=settings.RED,
    beside=settings.DROP_TAIL[-2:-1],
)
SLOW_UDP = AggregateProfile(
    name="seed004-slow-udp",
    title="Web-like traffic and 64 kb/s UDP, drop tail: profiles of the aggregate",
    source=f"{_SOURCE}, section 4.1 (plots not shown there)",
    claim=f"Web-like traffic with slow UDP sources has similar profiles. {_SCALED}",
    loads=settings.SLOW_UDP_LOADS,
    buffers=settings.DROP_TAIL,
)
FAST_UDP = AggregateProfile(
    name="seed004-fast-udp",
    title="Web-like traffic and 1 Mb/s UDP, drop tail: profiles of the aggregate",
    source=f"{_SOURCE}, section 4.1 (plots not shown there)",
    claim=f"Web-like traffic with fast UDP sources has similar profiles. {_SCALED}",
    loads=settings.FAST_UDP_LOADS,
    buffers=settings.DROP_TAIL,
)

PROFILES = (FIGURE_2, FIGURE_3, FIGURE_8, SLOW_UDP, FAST_UDP)

"""Family *sources*: congestion controls, numbers of flows, and flows that come and go.

20 Mb/s and round-trip times from 20 to 60 ms, u* = 98 %, p* = 2 %; 1024 flows share 100 Mb/s.
DCTCP, and Reno with ECN, are marked at the limit in the place of being dropped: no loss then, and
only utilization can bind. On-off groups are three of eight flows each that have data in every other
5 s, one after the other, beside eight flows that always have.
"""

from collections.abc import Iterator
from dataclasses import replace

from p4abs_experiments.experiment.seeds import MANY_SEEDS
from p4abs_experiments.families.dumbbell import LINK, Dumbbell
from p4abs_experiments.families.family import Family
from p4abs_experiments.network import CbrFlows, P4Buffer, Scenario, Traffic, WebUsers

BASE = Dumbbell(capacity_bps=20_000_000, rtt_s=(0.02, 0.06), n_flows=16, min_window_s=120.0)
CROWD = Dumbbell(capacity_bps=100_000_000, rtt_s=(0.02, 0.06), n_flows=1024, min_window_s=60.0)

CONTROLS = (
    *(("newreno", count) for count in (1, 4, 64, 256)),
    *(("cubic", count) for count in (1, 4, 32)),
    *(("bbr", count) for count in (4, 16)),
    ("highspeed", 8),
)
GROUPS, GROUP_SIZE, PHASE_S = 3, 8, 5.0
_LONGEST_S = 1000.0


def _paused_s(group: int) -> tuple[tuple[float, float], ...]:
    """A group has nothing to send in every other phase, which begins a third of it later."""
    first_s = PHASE_S * (1 + group / GROUPS)
    return tuple(
        (first_s + 2 * PHASE_S * number, first_s + 2 * PHASE_S * number + PHASE_S)
        for number in range(int(_LONGEST_S / PHASE_S / 2))
    )


def mixes() -> dict[str, tuple[Traffic, ...]]:
    """What shares the base link, by name."""
    return {
        "8 Reno, 8 CUBIC": (BASE.flows(count=8), BASE.flows("cubic", count=8)),
        "8 CUBIC, 4 BBR": (BASE.flows("cubic", count=8), BASE.flows("bbr", count=4)),
        "on-off groups": (
            BASE.flows(count=GROUP_SIZE, name="steady"),
            *(
                BASE.flows(count=GROUP_SIZE, pauses=_paused_s(group), name=f"group {group + 1}")
                for group in range(GROUPS)
            ),
        ),
        "8 Reno, short flows at 30 %": (
            BASE.flows(count=8),
            BASE.short_flows(0.3),
        ),
        "8 Reno, UDP and web": (
            BASE.flows(count=8),
            CbrFlows(count=10, path=(LINK,), rate_bps=200_000, packet_bytes=BASE.packet_bytes),
            WebUsers(count=10, path=(LINK,), rtt_s=BASE.rtt_s, packet_bytes=BASE.packet_bytes),
        ),
    }


def _scenarios() -> Iterator[Scenario]:
    for control, count in CONTROLS:
        shared = replace(BASE, n_flows=count)
        yield shared.scenario(f"{count} {control}", shared.sizing(), shared.flows(control))
    marked = {"16 dctcp, marked": BASE.flows("dctcp"), "16 newreno, marked": BASE.flows(ecn=True)}
    for name, flows in marked.items():
        yield BASE.scenario(name, BASE.sizing(), flows, buffer=P4Buffer(ecn_marking=True))
    yield CROWD.scenario("1024 newreno, 100 Mb/s", CROWD.sizing())
    for name, traffic in mixes().items():
        yield BASE.scenario(name, BASE.sizing(), *traffic)


FAMILY = Family(
    name="families-sources",
    title="Congestion controls, numbers of flows and mixed traffic",
    claim="With every kind of source the mean limit is at most 1.10 times the static optimum, and "
    "the target that binds is met.",
    seeds=MANY_SEEDS,
    scenarios=tuple(_scenarios()),
)

"""What variants of the law are tried with: a minute or two each of what families have longer."""

from dataclasses import replace

from p4abs_experiments.families.dumbbell import LINK, Dumbbell
from p4abs_experiments.network import CbrFlows, Scenario, Traffic, WebUsers

BASE = Dumbbell(capacity_bps=10_000_000, rtt_s=(0.02, 0.06), n_flows=16, min_window_s=80.0)
FEW = replace(BASE, n_flows=4)
LONE = replace(BASE, n_flows=1)
_BEGIN_S, _END_S = 90.0, 150.0


def scenarios() -> list[Scenario]:
    """Steady, light and disturbed loads of one link."""
    return [
        BASE.scenario("16 Reno", BASE.sizing()),
        FEW.scenario("4 Reno", FEW.sizing()),
        LONE.scenario("1 Reno", LONE.sizing()),
        FEW.scenario("4 CUBIC", FEW.sizing(), FEW.flows("cubic")),
        FEW.scenario("4 BBR", FEW.sizing(), FEW.flows("bbr")),
        FEW.scenario("4 Reno, loss 0.2 %", FEW.sizing(utilization=0.1, loss=0.002)),
        FEW.scenario("4 Reno, 200 ms control", FEW.sizing(interval_s=0.2)),
        *_light_loads(),
        *_disturbances(),
    ]


def _light_loads() -> list[Scenario]:
    traffic: dict[str, Traffic] = {
        "short flows, 50 %": BASE.short_flows(0.5),
        "20 web users": WebUsers(
            count=20, path=(LINK,), rtt_s=BASE.rtt_s, packet_bytes=BASE.packet_bytes
        ),
        "on-off UDP, 60 %": CbrFlows(
            count=12,
            path=(LINK,),
            packet_bytes=BASE.packet_bytes,
            rate_bps=BASE.capacity_bps / 10,
            on_s=1.0,
            off_s=1.0,
        ),
    }
    alone = replace(BASE, n_flows=0)
    return [alone.scenario(name, alone.sizing(), each) for name, each in traffic.items()]


def _disturbances() -> list[Scenario]:
    span = (_BEGIN_S, _BEGIN_S + 1.0)
    times = {"duration_s": _END_S, "measure_from_s": 60.0}
    halved = ((_BEGIN_S, BASE.capacity_bps // 2), (_BEGIN_S + 30, BASE.capacity_bps))
    coming = BASE.flows(start_s=(_BEGIN_S, _BEGIN_S + 1.0), name="more")
    return [
        FEW.scenario("pause of 1 s", FEW.sizing(), FEW.flows(pauses=(span,)), **times),
        FEW.scenario("stall of 1 s", FEW.sizing(), stalls=(span,), **times),
        FEW.scenario("outage of 1 s", FEW.sizing(), outages=(span,), **times),
        BASE.scenario("half the capacity", BASE.sizing(), capacity_changes=halved, **times),
        BASE.scenario("twice the flows", BASE.sizing(), BASE.flows(), coming, **times),
    ]

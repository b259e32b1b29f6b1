"""Ports under control in the simulator, second by second, as controller/tests/states has them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from p4abs.control import MemoryPool, Samples, switch_control
from p4abs.control.switch_control import ControlledPort
from p4abs.measurements import Snapshot
from p4abs.policies import Binding
from p4abs.policies.policy import number_of
from p4abs_experiments.network import (
    CbrFlows,
    Link,
    Scenario,
    ShortFlows,
    Sizing,
    TcpFlows,
    WebUsers,
)
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import policy_of
from p4abs_experiments.simulation.simulate import simulate

FOLDER = Path(__file__).parents[3] / "controller" / "tests" / "states" / "recorded"
HEADING = "idle_s,offered_bytes,lost_bytes,at_max_delay,at_max_limit,unreachable,limit_bytes"
SECONDS = 180

_PATH = ("port",)
_RTT_S = (0.02, 0.1)
_FRAME_BYTES = 1514


@dataclass(frozen=True)
class Case:
    """Traffic through one port of `capacity_bps`, and what its sizing has beside the defaults."""

    traffic: tuple[Any, ...]
    seeds: tuple[int, ...] = (1,)
    capacity_bps: int = 10_000_000
    sizing: Mapping[str, Any] = field(default_factory=dict)


def _tcp(count: int, **changes: Any) -> TcpFlows:
    return TcpFlows(count=count, path=_PATH, rtt_s=_RTT_S, packet_bytes=_FRAME_BYTES, **changes)


def _cbr(rate_bps: float, packet_bytes: int = 1000, **changes: Any) -> CbrFlows:
    changes = {"count": 1, **changes}
    return CbrFlows(path=_PATH, rate_bps=rate_bps, packet_bytes=packet_bytes, **changes)


_WEB = WebUsers(count=10, path=_PATH, rtt_s=_RTT_S, packet_bytes=_FRAME_BYTES)
_SHORT = ShortFlows(
    path=_PATH, flows_per_s=10, size_bytes=60_000, rtt_s=_RTT_S, packet_bytes=_FRAME_BYTES
)
CASES = {
    "reno-1": Case((_tcp(1),)),
    "reno-4": Case((_tcp(4),), (1, 2)),
    "reno-16": Case((_tcp(16),), (1, 2, 3)),
    "reno-64": Case((_tcp(64),)),
    "cubic-16": Case((_tcp(16, congestion_control="cubic"),), (1, 2)),
    "fast": Case((_tcp(16),), capacity_bps=100_000_000),
    "beside-web": Case((_WEB, _tcp(8))),
    "max-delay": Case((_tcp(16),), (1, 2), sizing={"max_delay_s": 0.02}),
    "max-delay-near": Case((_tcp(16),), (1, 2), sizing={"max_delay_s": 0.08}),
    "max-limit": Case((_tcp(16),), (1, 2), sizing={"max_limit_bytes": 20_000}),
    "too-small": Case((_tcp(16),), sizing={"policy": "static", "initial_limit_bytes": 30_000}),
    "idling": Case(
        (_tcp(2),),
        capacity_bps=40_000_000,
        sizing={"policy": "static", "initial_limit_bytes": 40_000},
    ),
    "overload": Case((_cbr(13e6),)),
    "light": Case((_cbr(3e6),)),
    "acknowledgements": Case((_cbr(3e5, 60),)),
    "web": Case((_WEB,), (1, 2)),
    "short": Case((_SHORT,)),
    "bursts": Case((_cbr(6e6, count=4, on_s=0.1, off_s=0.3),)),
}


class _Recorder:
    """Controls the port and keeps what it did in each second."""

    interval_s = 0.02

    def __init__(self, port: Any, sizing: Sizing, capacity_bps: int) -> None:
        policy = policy_of(sizing, capacity_bps)
        controlled = ControlledPort(0, capacity_bps, policy, sizing.initial_limit_bytes)
        self.lines: list[str] = []
        self._port = port
        self._control, self._pool = switch_control([controlled]), MemoryPool(None)
        self._begin()

    def _begin(self) -> None:
        self._passed = 0
        self._idle_s, self._offered_bytes, self._lost_bytes = 0.0, 0, 0
        self._bindings: set[int] = set()

    def step(self, now_s: float) -> None:
        """An interval ends."""
        port = self._port
        snapshot = Snapshot(*port.snapshot(), *port.start_backlog_window(), port.marked_bytes())
        steps = self._control.decide({0: snapshot}, self._pool)
        for limit_bytes in self._control.limits_to_write().values():
            port.set_limit_bytes(limit_bytes)
        if steps is None:
            return
        sample = Samples.of(now_s, [0], steps, 0.0, 0.0).row(0)
        self._passed += 1
        self._idle_s += (1 - (sample.utilization or 0.0)) * sample.interval.duration_s
        self._offered_bytes += sample.interval.offered_bytes
        self._lost_bytes += sample.interval.dropped_bytes
        self._bindings.add(number_of(sample.binding))
        if self._passed == round(1 / self.interval_s):
            bounds = (Binding.MAX_DELAY, Binding.MAX_LIMIT)
            flags = [number_of(bound) in self._bindings for bound in bounds]
            flags.append(bool(sample.unreachable))
            self.lines.append(
                f"{self._idle_s:.4f},{self._offered_bytes},{self._lost_bytes},"
                f"{','.join(str(int(flag)) for flag in flags)},{sample.decided_limit_bytes}"
            )
            self._begin()


def recorded(case: Case, seed: int, seconds: int = SECONDS) -> list[str]:
    """The lines of a file, without its heading."""
    sizing = Sizing(
        **{
            "policy": "abs",
            "initial_limit_bytes": case.capacity_bps // 32,
            "min_limit_bytes": 2 * _FRAME_BYTES,
            "max_limit_bytes": case.capacity_bps // 8,
            **case.sizing,
        }
    )
    still = replace(sizing, policy="static", parameters={})
    scenario = Scenario(
        name="recorded",
        links=(Link("port", case.capacity_bps, still),),
        traffic=case.traffic,
        n_flows=1,
        duration_s=float(seconds) + 0.1,
        measure_from_s=0.0,
    )
    recorders: list[_Recorder] = []

    def beside(ports: Mapping[str, Any]) -> list[_Recorder]:
        recorders.append(_Recorder(ports["port"], sizing, case.capacity_bps))
        return recorders

    simulate(Cell(scenario, seed), beside)
    return recorders[0].lines[:seconds]


def files() -> Iterator[tuple[Path, Case, int]]:
    """Every file with its case and seed."""
    for name, case in CASES.items():
        for seed in case.seeds:
            yield FOLDER / f"{name}.{seed}.csv", case, seed

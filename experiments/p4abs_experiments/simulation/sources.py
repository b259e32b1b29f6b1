"""Traffic entries as sources in a simulation, and what became of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from p4abs_experiments.network import CbrFlows, Range, ShortFlows, TcpFlows, Traffic, WebUsers
from p4abs_experiments.simulation.ns3 import Flow, FlowSet, Port, Simulation
from p4abs_experiments.simulation.result import FlowResult, TrafficResult

_COUNTS = (
    "goodput_bytes",
    "sent_packets",
    "offered_packets",
    "marked_packets",
    "lost_packets",
    "offered_bytes",
    "lost_bytes",
)


class Source:
    """One flow or set of flows, and its counts when the measurement window began."""

    def __init__(self, flow: Flow | FlowSet, rtt_s: float = math.nan) -> None:
        self.flow = flow
        self._rtt_s = rtt_s
        self._before = dict.fromkeys(_COUNTS, 0)
        self._windows_bytes: list[int] = []

    def sample_window(self) -> None:
        if isinstance(self.flow, Flow):
            self._windows_bytes.append(self.flow.congestion_window_bytes())

    def start_window(self) -> None:
        self._before = self._counts()
        if isinstance(self.flow, FlowSet):
            self.flow.restart_record()

    def result(self, window_s: float) -> FlowResult:
        counts = {name: count - self._before[name] for name, count in self._counts().items()}
        return FlowResult(
            rtt_s=self._rtt_s,
            goodput_bps=8 * counts.pop("goodput_bytes") / window_s,
            completion_s=self.flow.completion_s() if isinstance(self.flow, Flow) else None,
            window_bytes=np.array(self._windows_bytes, dtype=np.float64),
            **counts,
        )

    def _counts(self) -> dict[str, int]:
        return {name: getattr(self.flow, name)() for name in _COUNTS}


@dataclass(frozen=True)
class Entry:
    """A traffic entry's sources."""

    name: str
    sources: Sequence[Source]

    def set_paused(self, paused: bool) -> None:
        """The sources fall silent or go on."""
        for source in self.sources:
            source.flow.set_paused(paused)

    def start_window(self) -> None:
        for source in self.sources:
            source.start_window()

    def sample_windows(self) -> None:
        """A sample interval ends: the sources' congestion windows are recorded."""
        for source in self.sources:
            source.sample_window()

    def result(self, window_s: float) -> TrafficResult:
        sets = [source.flow for source in self.sources if isinstance(source.flow, FlowSet)]
        # Quantiles of several users cannot be put together from those of each.
        alone = sets[0] if len(sets) == 1 else None
        return TrafficResult(
            name=self.name,
            flows=tuple(source.result(window_s) for source in self.sources),
            started=sum(each.started() for each in sets),
            completed=sum(each.completed() for each in sets),
            completion_mean_s=_mean_completion_s(sets),
            completion_p50_s=alone.completion_quantile_s(0.5) if alone else math.nan,
            completion_p95_s=alone.completion_quantile_s(0.95) if alone else math.nan,
        )


def _mean_completion_s(sets: Sequence[FlowSet]) -> float:
    """Over the completed connections of all sets; nan without any."""
    some = [(each.completed(), each.mean_completion_s()) for each in sets if each.completed()]
    completed = sum(count for count, _ in some)
    return sum(count * mean_s for count, mean_s in some) / completed if some else math.nan


def add_entry(
    simulation: Simulation, ports: Mapping[str, Port], traffic: Traffic, random: Random
) -> Entry:
    """Adds the sources of one traffic entry; `random` draws from its ranges."""
    path = [ports[name] for name in traffic.path]
    match traffic:
        case TcpFlows():
            sources = [_tcp_flow(simulation, ports, path, traffic, random) for _ in _each(traffic)]
        case CbrFlows():
            sources = [_cbr_flow(simulation, path, traffic, random) for _ in _each(traffic)]
        case WebUsers():
            sources = [_web_user(simulation, ports, path, traffic, random) for _ in _each(traffic)]
        case ShortFlows():
            sources = [_short_flows(simulation, ports, path, traffic)]
    return Entry(traffic.name, sources)


def _tcp_flow(
    simulation: Simulation,
    ports: Mapping[str, Port],
    path: Sequence[Port],
    traffic: TcpFlows,
    random: Random,
) -> Source:
    rtt_s = _draw(random, traffic.rtt_s)
    flow = simulation.add_tcp_flow(
        path,
        rtt_s=rtt_s,
        start_s=_draw(random, traffic.start_s),
        **_given(stop_s=traffic.stop_s, size_bytes=traffic.size_bytes),
        **_connection(ports, traffic),
    )
    return Source(flow, rtt_s)


def _cbr_flow(
    simulation: Simulation, path: Sequence[Port], traffic: CbrFlows, random: Random
) -> Source:
    return Source(
        simulation.add_cbr_flow(
            path,
            delay_s=_draw(random, traffic.delay_s),
            packet_bytes=traffic.packet_bytes,
            rate_bps=traffic.rate_bps,
            start_s=_draw(random, traffic.start_s),
            off_s=traffic.off_s,
            **_given(stop_s=traffic.stop_s, on_s=traffic.on_s),
        )
    )


def _web_user(
    simulation: Simulation,
    ports: Mapping[str, Port],
    path: Sequence[Port],
    traffic: WebUsers,
    random: Random,
) -> Source:
    rtt_s = _draw(random, traffic.rtt_s)
    user = simulation.add_web_user(
        path,
        rtt_s=rtt_s,
        start_s=_draw(random, traffic.start_s),
        pages=traffic.pages,
        page_gap_s=traffic.page_gap_s,
        objects=traffic.objects,
        object_gap_s=traffic.object_gap_s,
        object_bytes=traffic.object_bytes,
        pareto_shape=traffic.pareto_shape,
        **_connection(ports, traffic),
    )
    return Source(user, rtt_s)


def _short_flows(
    simulation: Simulation,
    ports: Mapping[str, Port],
    path: Sequence[Port],
    traffic: ShortFlows,
) -> Source:
    return Source(
        simulation.add_poisson_flows(
            path,
            rtt_s=traffic.rtt_s,
            flows_per_s=traffic.flows_per_s,
            size_bytes=traffic.size_bytes,
            pareto_shape=traffic.pareto_shape,
            start_s=traffic.start_s,
            **_given(stop_s=traffic.stop_s),
            **_connection(ports, traffic),
        )
    )


def _connection(
    ports: Mapping[str, Port], traffic: TcpFlows | WebUsers | ShortFlows
) -> dict[str, Any]:
    """The arguments that all kinds of TCP traffic share."""
    return {
        "packet_bytes": traffic.packet_bytes,
        "congestion_control": traffic.congestion_control,
        "initial_window_segments": traffic.initial_window_segments,
        "ecn": traffic.ecn,
        "reverse_ports": [ports[name] for name in traffic.reverse_path],
        **_given(window_bytes=traffic.window_bytes, jitter_s=traffic.jitter_s),
    }


def _each(traffic: TcpFlows | CbrFlows | WebUsers) -> range:
    return range(traffic.count)


def _draw(random: Random, between: Range) -> float:
    return random.uniform(*between)


def _given(**arguments: Any) -> dict[str, Any]:
    """The arguments that are not None: for the others the simulator has its defaults."""
    return {name: value for name, value in arguments.items() if value is not None}

"""What a port costs the controller between its snapshot and its limit, all at once and by turns.

By itself it prints a table: python bench/stepping_speed.py
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from statistics import median

from measurement import by_turns
from p4abs.control import ControlledPort, MemoryPool, SwitchControl
from p4abs.control.batched import BatchedControl
from p4abs.control.per_port import PerPortControl
from p4abs.measurements import Snapshot
from p4abs.policies import Targets, create
from p4abs.snapshots import SnapshotsByPort

CAPACITY_BPS = 10_000_000
TARGETS = Targets(0.98, 0.02, None, 3028, 1_250_000)
LIMIT_BYTES = 50_000
INTERVAL_US = 20_000
PORT_COUNTS = (1, 10, 100, 250, 1000)
PORT_INTERVALS = 4000  # per measurement, in at least FEWEST_INTERVALS
FEWEST_INTERVALS = 20
ROUNDS = 7

Observe = Callable[[Mapping[int, Snapshot]], object]


def port_times_s(counts: Sequence[int] = PORT_COUNTS) -> dict[int, dict[str, float]]:
    """Processor time per port and interval: medians over rounds that alternate between the ways."""
    times_s = by_turns(ROUNDS, {count: partial(_times_s, count) for count in counts})
    return {
        count: {way: median(each[way] for each in rounds) for way in rounds[0]}
        for count, rounds in times_s.items()
    }


def _times_s(count: int) -> dict[str, float]:
    trace = loaded(count, max(FEWEST_INTERVALS, PORT_INTERVALS // count))
    batched, per_port = BatchedControl(_ports(count)), PerPortControl(_ports(count))
    return {
        "batched": _port_time_s(_observe(batched), [*map(_in_arrays, trace)]),
        "per_port": _port_time_s(_observe(per_port), trace),
    }


def loaded(count: int, intervals: int) -> list[dict[int, Snapshot]]:
    """Snapshots of busy links that drop now and then, each at times of its own."""
    generator = Random(count)
    dropped_bytes = [0] * count
    trace = []
    for index in range(intervals):
        for port in range(count):
            if generator.random() < 0.05:
                dropped_bytes[port] += generator.randrange(15_000)
        trace.append(
            {
                port: Snapshot(
                    timestamp_us=INTERVAL_US * index,
                    admitted_bytes=24_000 * index,
                    dropped_bytes=dropped_bytes[port],
                    departed_bytes=24_000 * index,
                    limit_bytes=LIMIT_BYTES,
                    unsaturated_us=1_500 * index,
                    unsaturated_bytes=875 * index,
                    least_backlog_bytes=0,
                    greatest_backlog_bytes=LIMIT_BYTES,
                )
                for port in range(count)
            }
        )
    return trace


def _in_arrays(snapshots: Mapping[int, Snapshot]) -> SnapshotsByPort:
    """As an exchange by the mailbox brings them."""
    return SnapshotsByPort([*snapshots], Snapshot.batched([*snapshots.values()]))


def _observe(control: SwitchControl) -> Observe:
    pool = MemoryPool(None)
    return lambda snapshots: control.decide(snapshots, pool)


def _ports(count: int) -> list[ControlledPort]:
    return [
        ControlledPort(port, CAPACITY_BPS, create("abs", CAPACITY_BPS, TARGETS), LIMIT_BYTES)
        for port in range(count)
    ]


def _port_time_s(observe: Observe, trace: Sequence[Mapping[int, Snapshot]]) -> float:
    begin_s = time.process_time()
    for snapshots in trace:
        observe(snapshots)
    return (time.process_time() - begin_s) / len(trace) / len(trace[0])


if __name__ == "__main__":
    print("ports  together  by turns  ratio")
    for count, ways in port_times_s().items():
        batched_s, per_port_s = ways["batched"], ways["per_port"]
        print(
            f"{count:5}  {1e6 * batched_s:5.1f} us  {1e6 * per_port_s:5.1f} us"
            f"  {per_port_s / batched_s:5.1f}"
        )

"""How soon a switch takes programs and entries over P4Runtime, and tells of them.

python -m serving.provisioning [--rounds N] [--results FILE]

Prints as JSON, for each switch, medians in seconds over rounds that alternate between the switches:
a push of a program; 1000 INSERTs, one a request; ten batches of 1000; a Read of 100,000 entries
and, on switches that serve registers, one of 100,000 cells. The client's own work, such as parsing
what it reads, is left out: requests are made before the clock starts, and answers stay bytes.
"""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import click
import grpc
from finsy.proto import p4i, p4r
from google.protobuf import text_format
from measurement import by_turns, results_option, run
from p4abs.cli import run as run_command
from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.free_ports import free_tcp_ports
from p4abs_switch.testbed.process import RunningProcess
from p4abs_switch.testbed.simple_switch import SimpleSwitch
from targets import has_bmv2
from workloads import ROOT

ROUNDS = 5
SINGLE = 1000
BATCHES, BATCH = 10, 1000
ENTRIES = CELLS = 100_000
TIMEOUT_S = 60.0
PROGRAM = ROOT / "switch" / "tests" / "programs" / "kinds.json"
TABLE, ACTION, REGISTER = "stations", "forward", "marks"
ELECTION = p4r.Uint128(low=1)
_SERVICE = "/p4.v1.P4Runtime/"

_Call = Callable[..., bytes]
_Read = Callable[..., Iterator[bytes]]


@click.command()
@click.option("--rounds", type=click.IntRange(min=1), default=ROUNDS, show_default=True)
@results_option()
def main(rounds: int, results: Path | None) -> int:
    """Measures how soon switches take programs and entries, and tell of them."""
    return run(lambda: measure(rounds), results)


def measure(rounds: int = ROUNDS) -> dict[str, Any]:
    """Medians by switch and by what is done, and their ratios: this switch's to BMv2's."""
    starts: dict[str, Callable[[Path], RunningProcess]] = {"embedded": _embedded}
    if has_bmv2():
        starts["bmv2"] = _bmv2
    config = _config()

    def times_s(start: Callable[[Path], RunningProcess]) -> dict[str, float]:
        with tempfile.TemporaryDirectory() as scratch:
            switch = start(Path(scratch) / "log")
            try:
                return dict(_times_s(switch.address, config))
            finally:
                switch.end()

    times = by_turns(rounds, {name: partial(times_s, start) for name, start in starts.items()})
    medians = {
        name: {what: median(each[what] for each in found) for what in found[0]}
        for name, found in times.items()
    }
    own, peer = medians["embedded"], medians.get("bmv2", {})
    ratios = {what: own[what] / peer[what] if what in peer else None for what in own}
    return {"provisioning_s": medians, "provisioning_ratio": ratios}


def _embedded(log: Path) -> RunningProcess:
    return EmbeddedSwitch().start(log)


def _bmv2(log: Path) -> RunningProcess:
    [port] = free_tcp_ports(1)
    return SimpleSwitch(port).start(log)


def _config() -> p4r.ForwardingPipelineConfig:
    """A program with a table and a register of the sizes wanted."""
    text = PROGRAM.with_suffix(".p4info.txtpb").read_text()
    p4info, program = text_format.Parse(text, p4i.P4Info()), json.loads(PROGRAM.read_bytes())
    _named(p4info.tables, TABLE).size = 2 * ENTRIES
    _named(p4info.registers, REGISTER).size = CELLS
    for pipeline in program["pipelines"]:
        for table in pipeline["tables"]:
            if table["name"].endswith(f".{TABLE}"):
                table["max_size"] = 2 * ENTRIES
    for array in program["register_arrays"]:
        if array["name"].endswith(f".{REGISTER}"):
            array["size"] = CELLS
    return p4r.ForwardingPipelineConfig(
        p4info=p4info, p4_device_config=json.dumps(program).encode()
    )


def _named(objects: Any, alias: str) -> Any:
    return next(item for item in objects if item.preamble.alias == alias)


def _times_s(address: str, config: p4r.ForwardingPipelineConfig) -> Iterator[tuple[str, float]]:
    """What is done, and how long it takes."""
    with grpc.insecure_channel(address) as channel:
        write: _Call = channel.unary_unary(_SERVICE + "Write")
        push: _Call = channel.unary_unary(_SERVICE + "SetForwardingPipelineConfig")
        read: _Read = channel.unary_stream(_SERVICE + "Read")
        arbitrate: Any = channel.stream_stream(_SERVICE + "StreamChannel")
        bid = p4r.MasterArbitrationUpdate(device_id=1, election_id=ELECTION)
        stream = arbitrate(_endless(p4r.StreamMessageRequest(arbitration=bid).SerializeToString()))
        next(stream)
        pushed = p4r.SetForwardingPipelineConfigRequest(
            device_id=1, election_id=ELECTION, config=config,
            action=p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT,
        ).SerializeToString()  # fmt: skip
        yield "push", _time_s(push, [pushed])
        table = _named(config.p4info.tables, TABLE).preamble.id
        action = _named(config.p4info.actions, ACTION).preamble.id
        singles = [_insertions(table, action, number, 1) for number in range(SINGLE)]
        yield f"{SINGLE} insertions", _time_s(write, singles)
        batches = _batches(table, action, SINGLE, BATCHES)
        yield f"{BATCHES} batches of {BATCH}", _time_s(write, batches)
        left = ENTRIES - SINGLE - BATCHES * BATCH
        _time_s(write, _batches(table, action, SINGLE + BATCHES * BATCH, left // BATCH))
        entries = p4r.Entity(table_entry=p4r.TableEntry(table_id=table))
        yield f"read of {ENTRIES} entries", _read_time_s(read, entries)
        cells = p4r.RegisterEntry(register_id=_named(config.p4info.registers, REGISTER).preamble.id)
        try:
            yield f"read of {CELLS} cells", _read_time_s(read, p4r.Entity(register_entry=cells))
        except grpc.RpcError:
            return  # BMv2 serves no registers over P4Runtime
        finally:
            stream.cancel()


def _endless(first: bytes) -> Iterator[bytes]:
    yield first
    while True:
        time.sleep(TIMEOUT_S)


def _batches(table: int, action: int, first: int, count: int) -> list[bytes]:
    return [_insertions(table, action, first + n * BATCH, BATCH) for n in range(count)]


def _insertions(table: int, action: int, first: int, count: int) -> bytes:
    request = p4r.WriteRequest(device_id=1, election_id=ELECTION)
    for number in range(first, first + count):
        entry = request.updates.add(type=p4r.Update.INSERT).entity.table_entry
        entry.table_id = table
        entry.match.add(field_id=1).exact.value = (
            (number or 1 << 40).to_bytes(6, "big").lstrip(b"\0")
        )
        entry.action.action.action_id = action
        entry.action.action.params.add(param_id=1, value=b"\1")
    return request.SerializeToString()


def _time_s(call: _Call, requests: Sequence[bytes]) -> float:
    begin_s = time.perf_counter()
    for request in requests:
        call(request, timeout=TIMEOUT_S)
    return time.perf_counter() - begin_s


def _read_time_s(call: _Read, wanted: p4r.Entity) -> float:
    request = p4r.ReadRequest(device_id=1, entities=[wanted]).SerializeToString()
    begin_s = time.perf_counter()
    for _ in call(request, timeout=TIMEOUT_S):
        pass
    return time.perf_counter() - begin_s


if __name__ == "__main__":
    run_command(main, "provisioning")

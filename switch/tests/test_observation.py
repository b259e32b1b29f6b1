"""Traces and captures: what is told of packets, and that files are complete."""

import asyncio
import json
import logging
import os
from dataclasses import replace
from pathlib import Path

import pytest
from p4abs_switch import EngineError, PortConfig, Switch
from p4abs_switch.server.errors import ObservationUnavailable
from p4abs_switch.server.observation import Observation
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config
from scapy.utils import RawPcapNgReader, RawPcapReader

from .controller import PATIENCE_S

LOGS = Path(__file__).parents[1] / "pipeline/tests/programs/logs.json"
FRAME = bytes(range(60))
US = 1_000
PACKETS_THAT_FILL_A_PIPE = 10_000


def _switch(program: Path) -> Switch:
    switch = Switch([PortConfig(1), PortConfig(2)], 510)
    switch.load(program.read_bytes())
    return switch


def _run(switch: Switch) -> list[tuple[int, int, bytes]]:
    switch.inject(1, FRAME, 3 * US)
    switch.inject(2, FRAME, 5 * US)
    return switch.run_until(10 * US)


def test_a_trace_is_taken_as_text(kinds_json: Path) -> None:
    switch = _switch(kinds_json)
    switch.trace()
    _run(switch)
    lines = switch.take_trace().splitlines()
    assert lines[0] == "0.000003000 #1 arrives at port 1, 60 bytes"
    assert any(line.startswith("0.000005000 #2 table ") for line in lines)
    assert switch.take_trace() == ""


def test_a_trace_is_taken_as_json_lines(kinds_json: Path) -> None:
    switch = _switch(kinds_json)
    switch.trace(format="json", ports=[2])
    _run(switch)
    records = [json.loads(line) for line in switch.take_trace().splitlines()]
    assert records[0] == {
        "time_ns": 5 * US,
        "packet": 1,
        "event": "arrive",
        "port": 2,
        "bytes": 60,
    }
    assert {record["packet"] for record in records} == {1}


def test_a_format_that_does_not_exist_is_refused(kinds_json: Path) -> None:
    with pytest.raises(EngineError, match="valid: text, json"):
        _switch(kinds_json).trace(format="xml")  # type: ignore[arg-type]


async def test_a_served_switch_writes_traces_and_captures(kinds_json: Path, tmp_path: Path) -> None:
    trace, captures = tmp_path / "trace", tmp_path / "captures"
    observation = Observation(str(trace), "json", captures=captures)
    settings = config(program=kinds_json, ports=[PortConfig(1), PortConfig(2)])
    async with running(replace(settings, observation=observation), live=False) as switch:
        sent = _run(switch.engine)
    events = [json.loads(line)["event"] for line in trace.read_text().splitlines()]
    assert events.count("arrive") == 2
    assert events.count("emit") == len(sent)
    for port, at_ns in ((1, 3 * US), (2, 5 * US)):
        assert _read(captures / f"port{port}_in.pcap") == [(at_ns, FRAME)]
        left = [(at_ns, frame) for at_ns, out, frame in sent if out == port]
        assert _read(captures / f"port{port}_out.pcap") == left


class _Lines(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.lines: asyncio.Queue[str] = asyncio.Queue()

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.put_nowait(record.getMessage())


async def test_what_a_program_logs_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("p4abs_switch.program")
    caplog.set_level("INFO", logger.name)
    handler = _Lines()
    logger.addHandler(handler)
    try:
        async with running(config(ports=[PortConfig(1)]), live=False) as switch:
            switch.engine.load(LOGS.read_bytes())
            switch.engine.inject(1, bytes(19), 0)
            switch.engine.run_until(US)
            async with asyncio.timeout(PATIENCE_S):
                assert await handler.lines.get() == "nothing to say"
                assert await handler.lines.get() == "egress 0"
    finally:
        logger.removeHandler(handler)


@pytest.mark.parametrize("what", ["trace", "captures"])
async def test_files_that_cannot_be_written_are_named(what: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "below"
    observation = Observation(str(path)) if what == "trace" else Observation(captures=path)
    with pytest.raises(ObservationUnavailable, match="Not a directory"):
        async with running(replace(config(), observation=observation), live=False):
            pass


def _read(path: Path) -> list[tuple[int, bytes]]:
    with RawPcapReader(str(path)) as reader:
        assert not isinstance(reader, RawPcapNgReader)
        assert reader.nano
        return [(info.sec * 10**9 + info.usec, frame) for frame, info in reader]


async def test_a_pipe_that_nobody_reads_is_refused_for_a_trace(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "trace")
    settings = replace(config(), observation=Observation(str(tmp_path / "trace")))
    with pytest.raises(ObservationUnavailable, match="trace: a pipe that nobody reads"):
        async with running(settings, live=False):
            pytest.fail("it has started")


async def test_a_trace_that_nobody_reads_is_not_waited_for_at_the_end(
    kinds_json: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("p4abs_switch.server.serve._COMPLETION_S", 0.1)
    pipe = tmp_path / "trace"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        settings = replace(
            config(program=kinds_json, ports=[PortConfig(1)]), observation=Observation(str(pipe))
        )
        async with asyncio.timeout(PATIENCE_S), running(settings, live=False) as switch:
            for at_us in range(PACKETS_THAT_FILL_A_PIPE):
                switch.engine.inject(1, FRAME, at_us * US)
            switch.engine.run_until(PACKETS_THAT_FILL_A_PIPE * US)
    finally:
        os.close(reading)
    said = "nobody reads the trace or the capture; its rest is lost"
    assert caplog.messages[0] == said

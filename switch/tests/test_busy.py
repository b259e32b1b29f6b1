"""A switch whose packets never let go of it answers and ends all the same."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from finsy.proto import p4r
from p4abs_switch import PortConfig
from p4abs_switch.server.observation import Observation
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from .controller import PATIENCE_S, connected

READS = 20
BYTES = 200_000
END = "the trace ends here: it has reached its maximum size"
RECIRCULATES = bytes(12) + b"\x12\x34" + bytes(46)
SESSIONS = p4r.Entity(
    packet_replication_engine_entry=p4r.PacketReplicationEngineEntry(
        clone_session_entry=p4r.CloneSessionEntry()
    )
)


@contextmanager
def _patience() -> Iterator[None]:
    """What takes longer fails."""
    end_s = time.monotonic() + PATIENCE_S
    yield
    assert time.monotonic() < end_s


@pytest.mark.parametrize("trace_bytes", [BYTES, 300 * BYTES])
async def test_a_switch_answers_and_ends_while_a_packet_recirculates_for_ever(
    trace_bytes: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    program = Path(__file__).parent / "programs" / "recirculates_for_ever.json"
    observation = Observation(str(tmp_path / "trace"), trace_bytes=trace_bytes)
    settings = replace(config(program=program), observation=observation)
    with _patience():
        async with running(settings) as switch, connected(switch.address) as controller:
            await controller.become_primary()
            await controller.packet_out(RECIRCULATES)
            for _ in range(READS):
                assert await controller.read(SESSIONS) == []
            while trace_bytes == BYTES and END not in caplog.messages:
                assert await controller.read(SESSIONS) == []
            assert switch.engine.statistics().returning_packets <= 1
    assert caplog.messages.count(END) <= 1


async def test_a_trace_is_no_longer_than_it_may_be(
    kinds_json: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    trace = tmp_path / "trace"
    observation = Observation(str(trace), trace_bytes=BYTES)
    settings = replace(config(program=kinds_json, ports=[PortConfig(1)]), observation=observation)
    async with running(settings, live=False) as switch:
        for number in range(BYTES // 100):
            switch.engine.inject(1, bytes(60), number)
        switch.engine.run_until(BYTES)
    *_, last, end = trace.read_text().splitlines()
    assert end == "the trace ends here"
    assert BYTES - 200 < trace.stat().st_size - len(end) - 1 <= BYTES, last
    assert caplog.messages.count(END) == 1

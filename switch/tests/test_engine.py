"""The Python face of the engine; what the engine does is tested in Rust."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from p4abs_switch import PortConfig, Switch, _engine
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.errors import InputError
from p4abs_switch.runtime.programmed import Programmed

PROGRAM = Path(__file__).parents[2] / "p4src" / "build" / "queue.json"
CPU_PORT = 510
PATIENCE_S = 60.0
STATION = bytes([2, 0, 0, 0, 0, 2])
FRAME = STATION + bytes([2, 0, 0, 0, 0, 1, 0x88, 0xB5]) + bytes(986)
TABLE = "AbsIngress.forwarding.ethernet_forward"
FORWARD = "AbsIngress.forwarding.forward"


@pytest.fixture
def switch() -> Switch:
    """Port 2 sends one byte per microsecond; one station is behind it."""
    switch = Switch([PortConfig(1), PortConfig(2, rate_bps=8_000_000)], CPU_PORT)
    switch.load(PROGRAM.read_bytes())
    program = Programmed.of(switch, PROGRAM.read_bytes())
    program.add(TABLE, [(int.from_bytes(STATION, "big"),)], FORWARD, 2)
    return switch


def test_frames_leave_in_virtual_time(switch: Switch) -> None:
    for _ in range(2):
        switch.inject(1, FRAME, at_ns=5)
    assert switch.run_until(1_000_005) == [(1_000_005, 2, FRAME)]
    assert switch.run_until(2_000_005) == [(2_000_005, 2, FRAME)]
    statistics = switch.port_statistics(2)
    assert (statistics.tx_packets, statistics.tx_bytes) == (2, 2000)


def test_entries_come_back_as_they_were_written(switch: Switch) -> None:
    found = Programmed.of(switch, PROGRAM.read_bytes()).entries(TABLE)
    assert found == {((int.from_bytes(STATION, "big"),),): [2]}


def test_what_a_program_is_not_written_by_is_refused_in_one_line(switch: Switch) -> None:
    runtime = _engine.Runtime(switch, derive(PROGRAM.read_bytes()).SerializeToString())
    for call in (runtime.write, runtime.read):
        for message in (b"", b"\xff"):
            with pytest.raises(_engine.RequestRefused) as refused:
                call(message)
            assert "\n" not in refused.value.args[1]
    with pytest.raises(_engine.RequestRefused, match="no program is loaded"):
        _engine.Runtime(Switch([PortConfig(1)]), b"")


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ([], "table AbsIngress.forwarding.ethernet_forward: 0 key fields given; needed: "),
        ([(1, 2)], "dst_mac: 2 numbers do not make a match of the kind exact"),
    ],
)
def test_a_key_of_another_form_is_refused(
    switch: Switch, key: list[tuple[int, ...]], told: str
) -> None:
    with pytest.raises(InputError, match=told):
        Programmed.of(switch, PROGRAM.read_bytes()).add(TABLE, key, FORWARD, 2)


def test_registers_hold_64_bits(switch: Switch) -> None:
    switch.registers_write([("drain_rate", 2, 2**64 - 1), ("drain_rate", 3, 0)])
    assert switch.registers_read([("drain_rate", 2), ("drain_rate", 3)]) == [2**64 - 1, 0]


REFUSALS: dict[str, tuple[type[_engine.EngineError], Callable[[Switch], object]]] = {
    "not a program": (_engine.PipelineRefused, lambda s: s.load(b"{}")),
    "not a program to verify": (_engine.PipelineRefused, lambda _: Switch.verify(b"{}")),
    "no such port": (_engine.UnknownObject, lambda s: s.inject(3, FRAME, 0)),
    "no such register": (_engine.UnknownObject, lambda s: s.registers_read([("r", 0)])),
    "index too large": (_engine.InvalidArgument, lambda s: s.registers_read([("drain_rate", 512)])),
    "value too large": (
        _engine.InvalidArgument,
        lambda s: s.registers_write([("drain_rate", 0, 2**64)]),
    ),
    "no queues": (_engine.InvalidArgument, lambda _: PortConfig(1, queues=0)),
    "weight of 0": (_engine.InvalidArgument, lambda _: PortConfig(1, queues=2, weights=(0, 6))),
    "too few weights": (_engine.InvalidArgument, lambda _: PortConfig(1, queues=3, weights=(1, 6))),
    "port out of range": (_engine.InvalidArgument, lambda _: PortConfig(_engine.PORT_LIMIT)),
    "CPU port out of range": (
        _engine.InvalidArgument,
        lambda _: Switch([], _engine.PORT_LIMIT),
    ),
    "no rate": (_engine.InvalidArgument, lambda _: PortConfig(1, rate_bps=0)),
    "negative delay": (_engine.InvalidArgument, lambda _: PortConfig(1, delay_ns=-1)),
    "port given twice": (_engine.InvalidArgument, lambda _: Switch([PortConfig(1)] * 2)),
    "port is CPU port": (_engine.InvalidArgument, lambda _: Switch([PortConfig(1)], 1)),
    "interface given twice": (
        _engine.InterfaceError,
        lambda _: Switch([PortConfig(1, "eth0"), PortConfig(2, "eth0")]),
    ),
    "no such interface": (
        _engine.InterfaceError,
        lambda _: Switch([PortConfig(1, "no-such-port")]).start(),
    ),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals_are_typed_and_one_line(switch: Switch, case: str) -> None:
    error, request = REFUSALS[case]
    with pytest.raises(error) as refusal:
        request(switch)
    assert len(str(refusal.value).splitlines()) == 1


def test_a_program_that_is_refused_leaves_the_old_one_running(switch: Switch) -> None:
    switch.registers_write([("drain_rate", 2, 5)])
    for refused in (b"", b"{}", b"[1, 2]", b"\0"):
        with pytest.raises(_engine.PipelineRefused):
            switch.load(refused)
    assert switch.registers_read([("drain_rate", 2)]) == [5]


def test_a_refusal_cuts_a_constant_of_thousands_of_digits(kinds_json: Path) -> None:
    program = kinds_json.read_text().replace('"0x01fe"', f'"0x{100_000 * "f"}"', 1)
    with pytest.raises(_engine.PipelineRefused, match="is not a hexadecimal number") as refusal:
        Switch.verify(program.encode())
    assert "0xffff" in str(refusal.value)
    assert len(str(refusal.value)) < 200


def test_ports_are_below_v1models_drop_port(switch: Switch) -> None:
    assert _engine.PORT_LIMIT == 511
    assert PortConfig(_engine.PORT_LIMIT - 1).port == 510


def test_a_stop_ends_a_wait_for_the_end_without_a_reason(switch: Switch) -> None:
    assert switch.wait_ended() is None
    switch.start()
    answers: list[str | None] = []
    waiter = threading.Thread(target=lambda: answers.append(switch.wait_ended()))
    waiter.start()
    switch.stop()
    waiter.join(PATIENCE_S)
    assert answers == [None]


def test_time_is_real_between_start_and_stop_only(switch: Switch) -> None:
    switch.run_until(7_000_000_000)
    assert switch.now_us() == 7_000_000
    switch.start()
    with pytest.raises(_engine.InvalidArgument):
        switch.run_until(8_000_000_000)
    with pytest.raises(_engine.InvalidArgument):
        switch.start()
    assert switch.now_us() >= 7_000_000
    switch.stop()
    switch.stop()
    stopped_at_us = switch.now_us()
    assert stopped_at_us > 7_000_000
    assert switch.now_us() == stopped_at_us


def test_a_switch_that_is_let_go_of_stops() -> None:
    others = _packet_threads()
    switch = Switch([PortConfig(1)])
    switch.start()
    _wait_until(lambda: _packet_threads() == others + 1)
    del switch
    _wait_until(lambda: _packet_threads() == others)  # Linux lists a thread a little longer


def _wait_until(condition: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline_s


def _packet_threads() -> int:
    return sum(_name(task) == "p4abs-switch" for task in Path("/proc/self/task").iterdir())


def _name(task: Path) -> str:
    """Of a thread; "" when it has ended since it was listed."""
    try:
        return (task / "comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return ""

"""`p4abs read`: counters, registers and digests from the shell."""

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from finsy.proto import p4d, p4t
from p4abs_switch import PortConfig
from p4abs_switch.cli.commands import commands
from p4abs_switch.client import Connection, NotPrimary
from p4abs_switch.console.data import plain
from p4abs_switch.errors import UserError
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.cells import Counters
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.runtime.tables import Tables
from p4abs_switch.server.serve import RunningSwitch
from p4abs_switch.testing import config, switch_in_thread

from ..controller import PATIENCE_S

PROGRAMS = Path(__file__).parents[3] / "switch" / "tests" / "programs"
MS = 1_000_000


@pytest.fixture
def kinds() -> Iterator[RunningSwitch]:
    with switch_in_thread(config(program=PROGRAMS / "kinds.json"), live=False) as switch:
        yield switch


@pytest.fixture
def resources() -> Iterator[RunningSwitch]:
    settings = config(program=PROGRAMS / "resources.json", ports=[PortConfig(1), PortConfig(2)])
    with switch_in_thread(settings, live=False) as switch:
        yield switch


def read(switch: RunningSwitch, *words: str) -> Result:
    arguments = ["read", "--grpc-addr", switch.address, *words]
    return CliRunner().invoke(commands, arguments, standalone_mode=False)


def test_a_register_is_read_cell_by_cell_or_whole(kinds: RunningSwitch) -> None:
    kinds.engine.registers_write([("KindsIngress.marks", 2, 7)])
    assert read(kinds, "register", "marks", "2").output == "marks[2]: 7\n"
    assert read(kinds, "register", "KindsIngress.marks").output.splitlines() == [
        f"KindsIngress.marks[{index}]: {7 if index == 2 else 0}" for index in range(4)
    ]
    told = read(kinds, "--json", "register", "balances", "1").output
    assert json.loads(told) == {"index": 1, "value": 0}


def test_cells_that_hold_zero_are_left_out_if_asked_for(kinds: RunningSwitch) -> None:
    kinds.engine.registers_write([("KindsIngress.marks", 2, 7)])
    assert read(kinds, "--nonzero", "register", "marks").output == "marks[2]: 7\n"
    assert read(kinds, "--nonzero", "--json", "counter", "arrivals").output == ""


def test_a_counter_is_read_cell_by_cell_or_whole(kinds: RunningSwitch) -> None:
    program = Programmed.of(kinds.engine, (PROGRAMS / "kinds.json").read_bytes())
    counted = p4r.CounterData(packet_count=2, byte_count=120)
    counter = program.names.counter("KindsIngress.arrivals")
    Counters(program, Tables(program)).write(counter, 3, counted)
    assert read(kinds, "counter", "arrivals", "3").output == "arrivals[3]: 2 packets, 120 bytes\n"
    told = read(kinds, "--json", "counter", "arrivals").output.splitlines()
    assert [json.loads(line)["packets"] for line in told] == [0, 0, 0, 2, 0, 0, 0, 0]


def test_a_direct_counter_is_read_by_the_keys_of_its_entries(kinds: RunningSwitch) -> None:
    assert read(kinds, "counter", "acl_hits").output == ""
    key = [(0x800, 0xFFFF), (0, 2**48 - 1), (0, 0)]
    program = Programmed.of(kinds.engine, (PROGRAMS / "kinds.json").read_bytes())
    program.add("KindsIngress.acl", key, "NoAction", priority=9)
    assert read(kinds, "counter", "acl_hits").output == (
        "acl_hits[hdr.ethernet.ether_type=0x0800 &&& 0xffff, priority 9]: 0 packets, 0 bytes\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("register", "mark"), "no register is named 'mark'; valid: KindsIngress.marks, "),
        (("register", "marks", "4"), "register KindsIngress.marks has no cell 4; valid: 0 to 3"),
        (
            ("counter", "arrivals", "8"),
            "KindsIngress.arrivals has no cell 8; valid: 0 to 7",
        ),
        (
            ("counter", "x"),
            "is named 'x'; valid: KindsIngress.arrivals; of tables: Kinds",
        ),
        (("counter", "acl_hits", "1"), "has no index: it counts the entries of table KindsIngress"),
        (("register", "marks", "--count", "1"), "--count is for digests"),
        (("digest", "sightings", "--nonzero"), "--nonzero is for counters and registers only"),
        (("digest", "sightings", "1"), "digests have no index; use --count N to end after N"),
        (("digest", "sightings"), "no digest is named 'sightings'; valid: none"),
    ],
)
def test_what_cannot_be_read_is_told(
    kinds: RunningSwitch, words: tuple[str, ...], told: str
) -> None:
    done = read(kinds, *words)
    assert done.output == ""
    assert isinstance(done.exception, UserError)
    assert told in str(done.exception)


def test_counters_are_read_beside_a_controller_and_digests_are_its_own(
    kinds: RunningSwitch,
) -> None:
    for primary_id in (1, 7):
        with Connection(kinds.address, 1, primary_id) as other:
            other.become_primary()
            register = read(kinds, "register", "marks", "0")
            assert register.output == "marks[0]: 0\n"
            digest = read(kinds, "digest", "x")
            assert isinstance(digest.exception, NotPrimary)
            assert str(digest.exception) == (
                f"another controller is primary with election id {primary_id}, and gets the "
                "digests; stop it, or take the switch over with "
                f"--election-id {primary_id + 1} or higher"
            )


async def test_digests_are_told_as_they_come(resources: RunningSwitch) -> None:
    words = ["read", "--grpc-addr", resources.address, "--count", "2", "digest", "sighting_t"]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "p4abs_switch", *words), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    frame, now_ns = bytes.fromhex("0000000000bb0000000000aa0800") + bytes(46), 0
    told: list[object] = []
    async with asyncio.timeout(PATIENCE_S):
        telling = asyncio.create_task(process.stdout.readline())
        while len(told) < 2:
            now_ns += MS
            resources.engine.inject(1, frame, now_ns)
            resources.engine.run_until(now_ns)
            done, _ = await asyncio.wait([telling], timeout=0.05)
            if done:
                told.append(json.loads(telling.result()))
                telling = asyncio.create_task(process.stdout.readline())
        assert await process.wait() == 0
    assert told == 2 * [{"source": "0x0000000000aa", "port": "0x001"}]


def test_values_of_every_type_are_told() -> None:
    bit = p4t.P4DataTypeSpec(
        bitstring=p4t.P4BitstringLikeTypeSpec(bit=p4t.P4BitTypeSpec(bitwidth=12))
    )
    two = p4t.P4DataTypeSpec(tuple=p4t.P4TupleTypeSpec(members=[bit, p4t.P4DataTypeSpec()]))
    value, yes = p4d.P4Data(bitstring=b"\x7f"), p4d.P4Data(bool=True)
    both = p4d.P4Data(tuple=p4d.P4StructLike(members=[value, yes]))
    types = p4t.P4TypeInfo()
    assert plain(types, two, both) == ["0x07f", True]
    assert plain(types, p4t.P4DataTypeSpec(), p4d.P4Data(enum="RED")) == "RED"
    assert plain(types, p4t.P4DataTypeSpec(), p4d.P4Data(enum_value=b"\x01")) == "0x01"

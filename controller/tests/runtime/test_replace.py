"""A runtime file over a switch that runs: what differs is written, and nothing else."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from finsy.proto import p4i, p4r
from google.protobuf import text_format
from hypothesis import given, settings
from hypothesis import strategies as st
from p4abs.access.connection import Connection
from p4abs.cli.main import commands
from p4abs.errors import UserError
from p4abs.runtime import Changes, EntryRefused, RuntimeFile, apply, read_runtime_file, replace
from p4abs_switch.runtime.cells import Counters
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.runtime.tables import Tables
from p4abs_switch.server.serve import RunningSwitch
from p4abs_switch.testing import config, switch_in_thread

FILE = Path(__file__).parent / "kinds-runtime.json"
PROGRAMS = Path(__file__).parents[3] / "switch" / "tests" / "programs"
EVERYTHING = [
    p4r.Entity(table_entry=p4r.TableEntry()),
    p4r.Entity(table_entry=p4r.TableEntry(is_default_action=True)),
    p4r.Entity(packet_replication_engine_entry=p4r.PacketReplicationEngineEntry()),
]
ENTRIES = json.loads(FILE.read_text())["table_entries"]
GROUPS = [
    {"multicast_group_id": 1, "replicas": [{"egress_port": port} for port in ports]}
    for ports in ((1, 2), (2, 3))
]
SESSION = {"clone_session_id": 5, "replicas": [{"egress_port": 1}]}


@pytest.fixture
def switch(patience: None) -> Iterator[RunningSwitch]:
    """One that runs the kinds program."""
    settings = config(program=PROGRAMS / "kinds.json")
    with switch_in_thread(settings, live=False) as switch:
        yield switch


def file_of(folder: Path, table_entries: list[dict[str, Any]], **further: list[Any]) -> RuntimeFile:
    path = folder / "runtime.json"
    entries = {"table_entries": table_entries, **further}
    path.write_text(json.dumps(json.loads(FILE.read_text()) | entries))
    return read_runtime_file(path, PROGRAMS)


async def state(connection: Connection) -> list[bytes]:
    found = await connection.read(EVERYTHING, 5.0)
    return sorted(entity.SerializeToString(deterministic=True) for entity in found)


async def replaced(switch: RunningSwitch, file: RuntimeFile) -> tuple[Changes, list[bytes]]:
    """What was done, and the state afterwards."""
    async with Connection(switch.address, 1, 1) as connection:
        changes = await replace(connection, file, push=True)
        return changes, await state(connection)


async def pushed(file: RuntimeFile) -> list[bytes]:
    """The state after a push and the file."""
    with switch_in_thread(config(), live=False) as other:
        async with Connection(other.address, 1, 1) as connection:
            await apply(connection, file, push=True)
            return await state(connection)


CHANGED = ENTRIES[0] | {"action_params": {"port": 7}}
FILES = {
    "same": (ENTRIES, {}, (False, 0, 0, 0, 6)),
    "one changed": ([CHANGED, *ENTRIES[1:]], {}, (False, 0, 1, 0, 5)),
    "one gone": (ENTRIES[1:], {}, (False, 0, 0, 1, 5)),
    "default gone": (ENTRIES[:-1], {}, (False, 0, 1, 0, 5)),
    "group and session": (
        ENTRIES,
        {"multicast_group_entries": GROUPS[:1], "clone_session_entries": [SESSION]},
        (False, 2, 0, 0, 6),
    ),
    "none": ([], {}, (False, 0, 1, 5, 0)),
}


@pytest.mark.parametrize(("entries", "further", "done"), FILES.values(), ids=FILES.keys())
async def test_a_switch_ends_in_the_state_of_the_file_however_often_it_is_run(
    switch: RunningSwitch,
    tmp_path: Path,
    entries: list[dict[str, Any]],
    further: dict[str, list[Any]],
    done: tuple[bool, int, int, int, int],
) -> None:
    await replaced(switch, read_runtime_file(FILE, PROGRAMS))
    file = file_of(tmp_path, entries, **further)
    wanted = await pushed(file)
    changes, found = await replaced(switch, file)
    assert astuple(changes) == done
    assert found == wanted
    again, found = await replaced(switch, file)
    assert astuple(again) == (False, 0, 0, 0, len(file.updates))
    assert found == wanted


async def test_groups_and_sessions_follow_the_file(switch: RunningSwitch, tmp_path: Path) -> None:
    await replaced(
        switch,
        file_of(tmp_path, [], multicast_group_entries=GROUPS[:1], clone_session_entries=[SESSION]),
    )
    file = file_of(tmp_path, [], multicast_group_entries=GROUPS[1:])
    changes, found = await replaced(switch, file)
    assert astuple(changes) == (False, 0, 1, 1, 0)
    assert found == await pushed(file)


async def test_entries_of_tables_that_the_file_s_program_lacks_stay(
    switch: RunningSwitch, tmp_path: Path
) -> None:
    _, before = await replaced(switch, read_runtime_file(FILE, PROGRAMS))
    p4info = text_format.Parse((PROGRAMS / "kinds.p4info.txtpb").read_text(), p4i.P4Info())
    [acl] = [each for each in p4info.tables if each.preamble.alias == "acl"]
    p4info.tables.remove(acl)
    (tmp_path / "older.p4info.txtpb").write_text(text_format.MessageToString(p4info))
    path = tmp_path / "runtime.json"
    others = [each for each in ENTRIES if not each["table"].endswith("acl")]
    path.write_text(json.dumps({"p4info": "older.p4info.txtpb", "table_entries": others}))
    async with Connection(switch.address, 1, 1) as connection:
        changes = await replace(connection, read_runtime_file(path, tmp_path), push=False)
        assert astuple(changes) == (False, 0, 0, 0, 5)
        assert await state(connection) == before


async def test_what_the_switch_counts_goes_on_unless_another_program_runs(
    switch: RunningSwitch, tmp_path: Path
) -> None:
    program = Programmed.of(switch.engine, (PROGRAMS / "kinds.json").read_bytes())
    arrivals = program.names.counter("KindsIngress.arrivals")
    counted = p4r.CounterData(packet_count=7, byte_count=70)
    Counters(program, Tables(program)).write(arrivals, 1, counted)
    await replaced(switch, read_runtime_file(FILE, PROGRAMS))
    assert program.counted("KindsIngress.arrivals", 1) == (7, 70)
    path = tmp_path / "other.json"
    path.write_text(json.dumps({"p4info": "resources.p4info.txtpb", "bmv2_json": "resources.json"}))
    changes, _ = await replaced(switch, read_runtime_file(path, PROGRAMS))
    assert changes.is_pushed


async def test_a_full_table_takes_others_in_the_place_of_those_that_go(
    switch: RunningSwitch, tmp_path: Path
) -> None:
    full, others = (
        [ENTRIES[0] | {"match": {"hdr.ethernet.destination": n}} for n in numbers]
        for numbers in (range(4), range(4, 8))
    )
    await replaced(switch, file_of(tmp_path, full))
    changes, _ = await replaced(switch, file_of(tmp_path, others))
    assert (changes.inserted, changes.deleted) == (4, 4)
    too_many = file_of(tmp_path, [*full, *others])
    with pytest.raises(EntryRefused, match=r"table_entries\[0\]: write: RESOURCE_EXHAUSTED"):
        await replaced(switch, too_many)


def _station(key: int, port: int) -> dict[str, Any]:
    return ENTRIES[0] | {
        "match": {"hdr.ethernet.destination": key},
        "action_params": {"port": port},
    }


def _filter(priority: int, action: str) -> dict[str, Any]:
    match = {"hdr.ethernet.ether_type": [0x800, 0xFFFF]}
    return {"table": "acl", "match": match, "priority": priority, "action_name": action}


def _default(table: str, action: str) -> dict[str, Any]:
    return {"table": table, "default_action": True, "action_name": action}


TABLES = ("acl", "prefixes")
# Each list has what one key of a table, a group or a session may have; a file has one of them.
TABLE_ENTRIES = [
    *([_station(key, port) for port in (1, 2)] for key in (1, 2)),
    *([_filter(priority, action) for action in ("drop", "NoAction")] for priority in (1, 2)),
    *(
        [_default(table, action) for action in ("drop", "NoAction")]
        for table in ("acl", "prefixes")
    ),
]
OTHERS = {
    "multicast_group_entries": [GROUPS],
    "clone_session_entries": [[SESSION, SESSION | {"packet_length_bytes": 64}]],
}


def chosen(alternatives: list[list[dict[str, Any]]]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """At most one of each list."""
    maybe = [st.sampled_from([None, *each]) for each in alternatives]
    return st.tuples(*maybe).map(lambda entries: [each for each in entries if each is not None])


CONTENTS = st.fixed_dictionaries(
    {"table_entries": chosen(TABLE_ENTRIES)}
    | {key: chosen(alternatives) for key, alternatives in OTHERS.items()}
)


@settings(max_examples=25)
@given(st.lists(CONTENTS, min_size=2, max_size=3))
def test_whatever_files_came_before_the_state_is_that_of_the_last(
    contents: list[dict[str, Any]],
) -> None:
    with TemporaryDirectory() as folder, switch_in_thread(config(), live=False) as switch:
        files = [file_of(Path(folder), **content) for content in contents]
        found = [asyncio.run(replaced(switch, file))[1] for file in files]
        assert found[-1] == asyncio.run(pushed(files[-1]))


def test_the_command_says_what_it_has_changed(switch: RunningSwitch) -> None:
    arguments = ["--replace", "--directory", str(PROGRAMS), "--grpc-addr", switch.address]
    told = [
        CliRunner().invoke(commands, ["runtime", *arguments, str(FILE)], standalone_mode=False)
        for _ in range(2)
    ]
    assert [done.output for done in told] == [
        f"{switch.address}: {FILE}: 5 inserted, 1 changed, 0 deleted, 0 kept\n",
        f"{switch.address}: {FILE}: 0 inserted, 0 changed, 0 deleted, 6 kept\n",
    ]


def test_all_that_is_wrong_in_a_file_is_told_before_anything_is_sent(tmp_path: Path) -> None:
    path = tmp_path / "runtime.json"
    content = json.loads(FILE.read_text())
    content["table_entries"][1]["table"] = "routes"
    content["table_entries"][3]["action_name"] = "fly"
    path.write_text(json.dumps(content | {"clone_session_entries": [{"clone_session_id": 0}]}))
    # Nothing listens there.
    arguments = ["runtime", "--grpc-addr", "127.0.0.1:1", "--directory", str(PROGRAMS), str(path)]
    done = CliRunner().invoke(commands, arguments, standalone_mode=False)
    told = [line.removeprefix(f"{path}: ").partition(";")[0] for line in done.output.splitlines()]
    assert told == [
        'table_entries[1]: no table is named "routes"',
        'table_entries[3]: no action of table KindsIngress.prefixes is named "fly"',
        'clone_session_entries[0]: "clone_session_id" is 0',
    ]
    assert isinstance(done.exception, UserError)
    assert str(done.exception) == f"{path}: 3 errors, nothing written"

"""Runtime files of the p4lang tutorials, against the embedded switch."""

import json
from pathlib import Path
from typing import Any

import grpc
import pytest
from click.testing import CliRunner
from finsy.proto import p4r
from hypothesis import example, given
from hypothesis import strategies as st
from p4abs.access.connection import Connection
from p4abs.access.program import load_program, parse_p4info
from p4abs.access.rpc_error import RpcError
from p4abs.errors import P4absError, UserError
from p4abs.runtime import EntryRefused, RuntimeFileError, apply, read_runtime_file
from p4abs.runtime.entries import clone_session, multicast_group, table_entry
from p4abs.runtime.load import OtherProgram
from p4abs.runtime.values import encode
from p4abs_switch.testing import config, switch_in_thread

FILE = Path(__file__).parent / "runtime" / "kinds-runtime.json"
PROGRAMS = Path(__file__).parents[2] / "switch" / "tests" / "programs"
P4INFO = parse_p4info((PROGRAMS / "kinds.p4info.txtpb").read_text())
ADDRESS_BITS, TYPE_BITS = 48, 16
ADDRESSES, TYPES = st.integers(0, 2**ADDRESS_BITS - 1), st.integers(0, 2**TYPE_BITS - 1)


@pytest.mark.parametrize("port", ["\uff11", "1_0", " 1", "", "0x", "007", True, 1.0, "9" * 5000])
def test_what_is_no_number_of_a_port_is_refused_in_few_words(port: object) -> None:
    with pytest.raises(
        RuntimeFileError, match=r"^port is .*; valid: a number such as 17"
    ) as refused:
        encode(port, 9, "port")
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize("written", ["false", 1])
def test_a_default_action_is_true_or_false(written: object) -> None:
    with pytest.raises(RuntimeFileError, match=r'"default_action" is .*; valid: true or false'):
        table_entry(P4INFO, {"table": "acl", "default_action": written, "action_name": "drop"})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"target": "bmv\xe4"}', "not text in UTF-8"),
        (b'{"a": 1%s}' % (b"0" * 5000), "a number has thousands of digits"),
        (b'{"p4info": ""}', '"p4info" is ""; it must name a file'),
    ],
)
def test_a_file_that_cannot_be_read_says_why(content: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "s1.json"
    path.write_bytes(content)
    with pytest.raises(RuntimeFileError, match=f"s1.json: .*{reason}$"):
        read_runtime_file(path, tmp_path)


@pytest.mark.usefixtures("patience")
async def test_a_file_is_applied_as_it_is() -> None:
    file = read_runtime_file(FILE, PROGRAMS)
    with switch_in_thread(config(), live=False) as switch:
        async with Connection(switch.address, 1, 1) as connection:
            await apply(connection, file, push=True)
            wanted = [
                p4r.Entity(table_entry=p4r.TableEntry(table_id=entry.table_id, match=entry.match))
                for entry in (placed.update.entity.table_entry for placed in file.updates)
                if entry.match
            ]
            read = await connection.read(wanted, 5.0)
            written = [p.update.entity for p in file.updates if p.update.entity.table_entry.match]
            assert read == written
            (default,) = await connection.read(
                [p4r.Entity(table_entry=_default_of(file.updates[-1].update))], 5.0
            )
            assert default == file.updates[-1].update.entity


def _default_of(update: p4r.Update) -> p4r.TableEntry:
    table_id = update.entity.table_entry.table_id
    return p4r.TableEntry(table_id=table_id, is_default_action=True)


@pytest.mark.usefixtures("patience")
async def test_an_entry_that_the_switch_refuses_is_named() -> None:
    file = read_runtime_file(FILE, PROGRAMS)
    with switch_in_thread(config(), live=False) as switch:
        async with Connection(switch.address, 1, 1) as connection:
            with pytest.raises(OtherProgram, match="runs no program; leave out --no-push"):
                await apply(connection, file, push=False)
            await connection.push(load_program("queue"))
            other = (
                "runs another program, without the table KindsIngress.stations; leave out --no-p"
            )
            with pytest.raises(OtherProgram, match=other):
                await apply(connection, file, push=False)
            await apply(connection, file, push=True)
            with pytest.raises(EntryRefused, match=r"table_entries\[0\]: write: ALREADY_EXISTS"):
                await apply(connection, file, push=False)


@pytest.mark.parametrize("can_undo", [True, False], ids=["all or nothing", "as BMv2"])
@pytest.mark.usefixtures("patience")
async def test_if_an_entry_is_refused_none_is_written_where_the_switch_can_do_that(
    can_undo: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table has room for four."""

    def station(address: int) -> dict[str, Any]:
        match = {"hdr.ethernet.destination": address}
        action = {"action_name": "forward", "action_params": {"port": 1}}
        return {"table": "stations", "match": match, **action}

    content = json.loads(FILE.read_text())
    content["table_entries"] = [station(address) for address in range(5)]
    path = tmp_path / "twice.json"
    for key in ("multicast_group_entries", "clone_session_entries"):
        content.pop(key, None)
    path.write_text(json.dumps(content))
    file = read_runtime_file(path, PROGRAMS)
    if not can_undo:
        write_partly = Connection.write_partly

        async def refuse(self: Connection, updates: Any, timeout_s: float, *, together: bool):
            if together:
                raise RpcError("write", grpc.StatusCode.UNIMPLEMENTED, "no atomic writes")
            return await write_partly(self, updates, timeout_s)

        monkeypatch.setattr(Connection, "write_partly", refuse)
    with switch_in_thread(config(), live=False) as switch:
        async with Connection(switch.address, 1, 1) as connection:
            with pytest.raises(
                EntryRefused, match=r"table_entries\[4\]: write: RESOURCE_EXHAUSTED"
            ):
                await apply(connection, file, push=True)
            table_id = file.updates[0].update.entity.table_entry.table_id
            every = p4r.Entity(table_entry=p4r.TableEntry(table_id=table_id))
            written = await connection.read([every], 5.0)
    assert len(written) == (0 if can_undo else 4)


@pytest.mark.parametrize(
    ("value", "width_bits", "encoded"),
    [
        (0, 9, b"\0"),
        (511, 9, b"\x01\xff"),
        ("17", 8, b"\x11"),
        ("0x0800", 16, b"\x08\x00"),
        ("10.0.1.1", 32, b"\x0a\0\x01\x01"),
        (["10.0.1.1"], 32, b"\x0a\0\x01\x01"),
        ("08:00:00:00:01:11", 48, b"\x08\0\0\0\x01\x11"),
        ("::1", 128, b"\x01"),
    ],
)
def test_values_have_the_forms_of_the_tutorials(
    value: object, width_bits: int, encoded: bytes
) -> None:
    assert encode(value, width_bits, "value") == encoded


@pytest.mark.parametrize(
    "value", [512, -1, "0.0.0.1", "::1", "0:0:0:0:0:1", "blue", None, 1.5, [], [1, 2], {}]
)
def test_values_that_do_not_fit_are_refused_by_name(value: object) -> None:
    with pytest.raises(RuntimeFileError, match=r"^port of forward is "):
        encode(value, 9, "port of forward")


def match_of(table: str, field: str, value: object) -> list[p4r.FieldMatch]:
    entry = {
        "table": table,
        "match": {f"hdr.ethernet.{field}": value},
        "action_name": "drop",
        "priority": 1 if table == "acl" else 0,
    }
    return [*table_entry(P4INFO, entry).entity.table_entry.match]


@given(ADDRESSES, st.integers(0, ADDRESS_BITS))
def test_a_prefix_is_its_first_bits_and_none_of_them_no_match(value: int, length: int) -> None:
    matches = match_of("prefixes", "source", [value, length])
    others = ADDRESS_BITS - length
    found = [(int.from_bytes(each.lpm.value), each.lpm.prefix_len) for each in matches]
    assert found == ([(value >> others << others, length)] if length else [])


@given(TYPES, TYPES)
@example(1, 0)
def test_a_pattern_is_what_its_mask_leaves_and_no_mask_no_match(value: int, mask: int) -> None:
    matches = match_of("acl", "ether_type", [value, mask])
    found = [(each.ternary.value, each.ternary.mask) for each in matches]
    wanted = tuple(encode(each, TYPE_BITS, "type") for each in (value & mask, mask))
    assert found == ([wanted] if mask else [])


@given(ADDRESSES, ADDRESSES)
@example(0, 2**ADDRESS_BITS - 1)
def test_a_range_has_two_ends_and_all_values_are_no_match(first: int, second: int) -> None:
    low, high = sorted((first, second))
    matches = match_of("acl", "source", [low, high])
    found = [tuple(map(int.from_bytes, (each.range.low, each.range.high))) for each in matches]
    assert found == ([] if (low, high) == (0, 2**ADDRESS_BITS - 1) else [(low, high)])


def test_groups_and_sessions_become_entries_of_the_replication_engine() -> None:
    replicas = [{"egress_port": 1, "instance": 1}, {"egress_port": 2}]
    messages = [p4r.Replica(egress_port=1, instance=1), p4r.Replica(egress_port=2)]
    group = multicast_group({"multicast_group_id": 4, "replicas": replicas}).entity
    assert group.packet_replication_engine_entry.multicast_group_entry == p4r.MulticastGroupEntry(
        multicast_group_id=4, replicas=messages
    )
    session = clone_session(
        {"clone_session_id": 5, "replicas": replicas, "packet_length_bytes": 64}
    ).entity
    assert session.packet_replication_engine_entry.clone_session_entry == p4r.CloneSessionEntry(
        session_id=5, replicas=messages, packet_length_bytes=64
    )
    minimum = clone_session({"clone_session_id": 5, "replicas": []}).entity
    assert minimum.packet_replication_engine_entry.clone_session_entry == p4r.CloneSessionEntry(
        session_id=5
    )


STATION = {"table": "stations", "action_name": "forward", "action_params": {"port": 1}}
KEYED = STATION | {"match": {"hdr.ethernet.destination": 1}}
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "unknown key": ({"tabel_entries": []}, "tabel_entries"),
    "other target": ({"target": "tofino"}, '"bmv2"'),
    "p4info missing": (
        {"p4info": "missing.txtpb"},
        "p4c-bm2-ss writes it with --p4runtime-files missing.txtpb",
    ),
    "p4info is JSON": ({"p4info": "kinds.json"}, "not a P4Info"),
    "no list": ({"table_entries": {}}, "must be a list"),
    "p4info not named": ({"p4info": None}, '"p4info" is missing; it must name a file'),
    "table not named": ({"table_entries": [{}]}, "the table is missing; valid: KindsIngress"),
    "key field without a value": (
        {"table_entries": [STATION | {"match": {"hdr.ethernet.destination": None}}]},
        "table KindsIngress.stations is missing; valid: a number",
    ),
    "p4info is a number": ({"p4info": 3}, '"p4info" is 3; it must name a file'),
    "match is a list": ({"table_entries": [STATION | {"match": [1]}]}, "it must be an object"),
    "unknown table": ({"table_entries": [{"table": "routes"}]}, "valid: KindsIngress.stations"),
    "unknown field": ({"table_entries": [STATION | {"match": {"dst": 1}}]}, "ethernet.destination"),
    "unknown action": ({"table_entries": [{"table": "acl", "action_name": "punt"}]}, "forward"),
    "unknown parameter": (
        {"table_entries": [STATION | {"action_params": {"prt": 1}}]},
        "valid: port",
    ),
    "no pair": (
        {"table_entries": [{"table": "prefixes", "match": {"hdr.ethernet.source": 1}}]},
        "prefix length",
    ),
    "prefix too long": (
        {"table_entries": [{"table": "prefixes", "match": {"hdr.ethernet.source": [1, 49]}}]},
        "prefix length 49; valid: 0 to 48",
    ),
    "length in words": (
        {"table_entries": [{"table": "prefixes", "match": {"hdr.ethernet.source": [1, "8"]}}]},
        'prefix length "8"',
    ),
    "no length but a truth": (
        {"table_entries": [{"table": "prefixes", "match": {"hdr.ethernet.source": [1, True]}}]},
        "prefix length true",
    ),
    "unknown key of an entry": ({"table_entries": [STATION | {"prio": 1}]}, 'unknown key "prio"'),
    "unknown key of a replica": (
        {"multicast_group_entries": [{"multicast_group_id": 1, "replicas": [{"port": 1}]}]},
        'unknown key "port"',
    ),
    "replica twice": (
        {"clone_session_entries": [{"clone_session_id": 1, "replicas": 2 * [{"egress_port": 1}]}]},
        r"clone_session_entries\[0\]: replicas\[1\]: the same as replicas\[0\]",
    ),
    "replicas missing": ({"multicast_group_entries": [{"multicast_group_id": 1}]}, "egress_port"),
    "group of no number": (
        {"multicast_group_entries": [{"multicast_group_id": True, "replicas": []}]},
        '"multicast_group_id" is true; valid: 1 to 65535',
    ),
    "instance of more than 16 bits": (
        {
            "multicast_group_entries": [
                {"multicast_group_id": 1, "replicas": [{"egress_port": 1, "instance": 2**16}]}
            ]
        },
        '"instance" is 65536; valid: 0 to 65535',
    ),
    "group without id": ({"multicast_group_entries": [{"replicas": []}]}, "multicast_group_id"),
    "length of more than 31 bits": (
        {
            "clone_session_entries": [
                {"clone_session_id": 1, "replicas": [], "packet_length_bytes": 2**31}
            ]
        },
        '"packet_length_bytes" is 2147483648; valid: 0 to 2147483647',
    ),
    "id of more than 16 bits": (
        {"multicast_group_entries": [{"multicast_group_id": 2**16, "replicas": []}]},
        '"multicast_group_id" is 65536; valid: 1 to 65535',
    ),
    "group 0": (
        {"multicast_group_entries": [{"multicast_group_id": 0, "replicas": []}]},
        '"multicast_group_id" is 0; valid: 1 to',
    ),
    "replica without a port": (
        {"multicast_group_entries": [{"multicast_group_id": 1, "replicas": [{"instance": 1}]}]},
        r'replicas\[0\]: "egress_port" is missing; valid: 0 to 510',
    ),
    "replica at a port that no switch has": (
        {
            "clone_session_entries": [
                {"clone_session_id": 1, "replicas": [{"egress_port": 1}, {"egress_port": 511}]}
            ]
        },
        r'replicas\[1\]: "egress_port" is 511; valid: 0 to 510',
    ),
    "program that is none": (
        {"bmv2_json": "kinds.p4info.txtpb"},
        '"bmv2_json": kinds.p4info.txtpb: not a program in BMv2\'s JSON; p4c writes it',
    ),
    "key field missing": (
        {"table_entries": [STATION]},
        "key field hdr.ethernet.destination of table KindsIngress.stations missing: give all "
        'exact fields; for the default action write "default_action": true',
    ),
    "parameter missing": (
        {"table_entries": [KEYED | {"action_params": {}}]},
        "action KindsIngress.forward needs 'port'",
    ),
    "action missing": (
        {"table_entries": [KEYED | {"action_name": None}]},
        'an entry of table KindsIngress.stations needs an "action_name"',
    ),
    "action for default only": (
        {"table_entries": [KEYED | {"action_name": "drop", "action_params": {}}]},
        "action KindsIngress.drop of table KindsIngress.stations is allowed as default action only",
    ),
    "priority missing": (
        {"table_entries": [{"table": "acl", "action_name": "drop"}]},
        'an entry of table KindsIngress.acl needs a "priority" of 1 or more; the highest wins',
    ),
    "priority of an exact match": (
        {"table_entries": [KEYED | {"priority": 1}]},
        'table KindsIngress.stations takes no "priority"',
    ),
    "range from high to low": (
        {
            "table_entries": [
                {"table": "acl", "match": {"hdr.ethernet.source": [2, 1]}, "action_name": "drop"}
            ]
        },
        "the low end must not be above the high end",
    ),
    "entry of a table that the program fills": (
        {
            "table_entries": [
                {
                    "table": "fixed",
                    "match": {"hdr.ethernet.ether_type": 1},
                    "action_name": "NoAction",
                }
            ]
        },
        "the entries of table KindsIngress.fixed are constant",
    ),
    "entry of a table without a key": (
        {"table_entries": [{"table": "keyless", "action_name": "NoAction"}]},
        'table KindsIngress.keyless has no key: it takes only a "default_action"',
    ),
    "default action that is constant": (
        {"table_entries": [{"table": "stations", "default_action": True, "action_name": "drop"}]},
        "the default action of table KindsIngress.stations is constant",
    ),
    "default action with a match": (
        {
            "table_entries": [
                {
                    "table": "acl",
                    "default_action": True,
                    "match": {"hdr.ethernet.ether_type": [1, 1]},
                }
            ]
        },
        'a default action of table KindsIngress.acl takes no "match" and no "priority"',
    ),
    "default action with a priority": (
        {"table_entries": [{"table": "acl", "default_action": True, "priority": 1}]},
        'a default action of table KindsIngress.acl takes no "match" and no "priority"',
    ),
    "entry twice": (
        {"table_entries": [KEYED, KEYED | {"action_params": {"port": 2}}]},
        r"table_entries\[1\]: the same key as table_entries\[0\]",
    ),
    "compiled program": ({"pipelines": []}, "a compiled program, not a runtime file"),
    "session without number": (
        {"clone_session_entries": [{"clone_session_id": 0, "replicas": []}]},
        '"clone_session_id" is 0; valid: 1 to 32767',
    ),
    "session of more than 15 bits": (
        {"clone_session_entries": [{"clone_session_id": 32768, "replicas": []}]},
        '"clone_session_id" is 32768; valid: 1 to 32767',
    ),
    "unknown key of a group": ({"multicast_group_entries": [{"id": 1}]}, 'unknown key "id"'),
    "unknown key with an escape character": ({"\x1b[31m": 1}, r'unknown key "\\u001b\[31m";'),
    "object without a value": ({"table_entries": [None]}, r"table_entries\[0\]: null must be an"),
    "no object": ({"clone_session_entries": [7]}, r"clone_session_entries\[0\]"),
}


@pytest.mark.parametrize(("change", "named"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_wrong_in_a_file_is_named(
    tmp_path: Path, change: dict[str, Any], named: str
) -> None:
    path = tmp_path / "runtime.json"
    path.write_text(json.dumps(json.loads(FILE.read_text()) | change))
    with pytest.raises(RuntimeFileError, match=named) as refused:
        read_runtime_file(path, PROGRAMS)
    assert str(refused.value).startswith(f"{path}: ")
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"x" * 10**6: 1},
        {"target": "x" * 10**6},
        {"table_entries": ["x" * 10**6]},
        {"table_entries": [{"table": "x" * 10**6}]},
        {"table_entries": [{"table": "prefixes", "match": "x" * 10**6}]},
    ],
    ids=["key", "target", "entry", "table", "match"],
)
def test_a_long_value_is_not_repeated_in_full(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "runtime.json"
    path.write_text(json.dumps(json.loads(FILE.read_text()) | change))
    with pytest.raises(RuntimeFileError, match=r"xxx\.\.\.") as refused:
        read_runtime_file(path, PROGRAMS)
    assert len(str(refused.value)) < 500


def test_a_configured_file_that_is_missing_says_where_its_path_begins() -> None:
    with pytest.raises(RuntimeFileError) as refused:
        read_runtime_file(Path("nowhere.json"))
    where = f"a relative path of runtime begins at {Path.cwd()}"
    assert str(refused.value) == f"nowhere.json: No such file or directory; {where}"


def test_a_list_is_no_runtime_file(tmp_path: Path) -> None:
    (path := tmp_path / "runtime.json").write_text("[]")
    with pytest.raises(RuntimeFileError, match="not an object with the keys target, p4info"):
        read_runtime_file(path, PROGRAMS)


def test_a_file_without_a_program_to_push_is_refused_before_anybody_is_asked(
    tmp_path: Path,
) -> None:
    from p4abs.cli.main import commands

    (path := tmp_path / "runtime.json").write_text(json.dumps({"p4info": "kinds.p4info.txtpb"}))
    arguments = ["runtime", str(path), "--directory", str(PROGRAMS), "--grpc-addr", "127.0.0.1:1"]
    error = CliRunner().invoke(commands, arguments, standalone_mode=False).exception
    assert isinstance(error, UserError)
    assert str(error).endswith('names no "bmv2_json" to push; --no-push writes entries only')


@pytest.mark.parametrize("name", ["mine.p4", "mine.p4info.txtpb", "mine.p4.p4info.txt"])
def test_a_part_of_a_program_is_told_from_a_runtime_file(name: str, tmp_path: Path) -> None:
    (path := tmp_path / name).write_text("tables { }")
    with pytest.raises(RuntimeFileError, match=r'part of a program.* names .* as "bmv2_json"'):
        read_runtime_file(path, PROGRAMS)


def test_nesting_without_end_is_no_file_of_entries(tmp_path: Path) -> None:
    path = tmp_path / "runtime.json"
    path.write_text("[" * 100_000)
    with pytest.raises(RuntimeFileError, match="not JSON: nested too deep"):
        read_runtime_file(path, PROGRAMS)


@pytest.mark.usefixtures("patience")
def test_the_command_says_what_it_has_written_and_what_is_wrong(tmp_path: Path) -> None:
    from p4abs.cli.main import commands

    with switch_in_thread(config(), live=False) as switch:
        options = ["--directory", str(PROGRAMS), "--grpc-addr", switch.address]
        arguments = ["runtime", str(FILE), *options]
        done = CliRunner().invoke(commands, arguments, standalone_mode=False)
        assert f"{switch.address}: {FILE}: 6 inserted" in done.output
        other = CliRunner().invoke(
            commands, [*arguments, "--device-id", "9"], standalone_mode=False
        )
        assert isinstance(other.exception, UserError)
        assert f"{switch.address}: stream: NOT_FOUND: no device has id 9" in str(other.exception)
    failed = CliRunner().invoke(commands, [*arguments[:-1], "127.0.0.1:1"], standalone_mode=False)
    assert isinstance(failed.exception, P4absError)
    assert str(failed.exception).startswith("127.0.0.1:1: get pipeline: UNAVAILABLE: ")

"""`p4abs cli` with a file and a pipe."""

from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from click.testing import CliRunner
from finsy.proto import p4r
from p4abs_switch.cli import console
from p4abs_switch.cli.commands import main
from p4abs_switch.cli.console import cli
from p4abs_switch.client import Connection
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.errors import UserError
from p4abs_switch.testing import config, switch_in_thread

PROGRAM = Path(__file__).parents[3] / "switch" / "tests" / "programs" / "kinds.json"

NO_P4INFO = (
    "the switch runs no program whose P4Info it knows; "
    "push one with p4abs runtime, or start it with PROGRAM.json"
)


def test_a_failing_line_stops_no_other_but_gives_status_1(tmp_path: Path) -> None:
    file = tmp_path / "commands.txt"
    file.write_text("# a comment\n\nregister_read nope\nregister_read marks 0\n")
    with switch_in_thread(config(program=PROGRAM), live=False) as switch:
        arguments = ["--grpc-addr", switch.address]
        from_file = CliRunner().invoke(cli, [*arguments, str(file)], standalone_mode=False)
        from_pipe = CliRunner().invoke(
            cli, arguments, input="register_read marks 0", standalone_mode=False
        )
    assert from_file.return_value == 1
    assert from_file.stdout == "marks[0]= 0\n"
    assert from_file.stderr.startswith("line 3: register_read: no register is named 'nope'")
    assert (from_pipe.return_value, from_pipe.stdout) == (0, "marks[0]= 0\n")


def test_exit_ends_a_file(tmp_path: Path) -> None:
    file = tmp_path / "commands.txt"
    file.write_text("exit\nregister_read nope\n")
    with switch_in_thread(config(program=PROGRAM), live=False) as switch:
        result = CliRunner().invoke(
            cli, ["--grpc-addr", switch.address, str(file)], standalone_mode=False
        )
    assert (result.return_value, result.output) == (0, "")


def test_a_switch_without_a_program_or_a_file_that_is_not_there_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with switch_in_thread(config(), live=False) as switch:
        address = switch.address
        for arguments, complaint in (
            (["--grpc-addr", address], f"p4abs-switch: {address}: {NO_P4INFO}"),
            (["nowhere.txt"], "p4abs-switch: nowhere.txt: No such file or directory"),
        ):
            with pytest.raises(SystemExit) as ended:
                main(["cli", *arguments])
            assert ended.value.code == 2
            assert capsys.readouterr().err.splitlines() == [complaint]


def test_ctrl_d_ends_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)
        shell.use_rawinput, shell.stdin = False, StringIO("register_read marks 0\n")
        shell.cmdloop()
    assert "marks[0]= 0\n" in capsys.readouterr().out
    assert shell.failures == 0


@pytest.mark.parametrize("without_a_locale", [False, True])
def test_a_pipe_without_text_is_told_in_one_line(
    without_a_locale: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = "surrogateescape" if without_a_locale else "strict"
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"\xff"), "utf-8", errors))
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
        pytest.raises(UserError, match=r"^standard input: not text: invalid start byte$"),
    ):
        console.converse(Shell(session))


def test_a_byte_order_mark_of_a_pipe_or_a_file_does_not_matter(tmp_path: Path) -> None:
    (commands := tmp_path / "commands.txt").write_bytes(marked := b"\xef\xbb\xbfshow_tables\r\n")
    with switch_in_thread(config(program=PROGRAM), live=False) as switch:
        for more, given in (([], marked), ([str(commands)], b"")):
            result = CliRunner().invoke(cli, ["--grpc-addr", switch.address, *more], input=given)
            assert "stations" in result.output


def test_an_endless_line_of_a_pipe_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "_LONGEST_LINE", 1000)
    with switch_in_thread(config(program=PROGRAM), live=False) as switch:
        result = CliRunner().invoke(
            cli, ["--grpc-addr", switch.address], input="#" * 2000, standalone_mode=False
        )
    assert isinstance(result.exception, UserError)
    assert str(result.exception) == "standard input: a line must be shorter than 1000 characters"


def test_mirrored_packets_have_the_egress_rid_of_bmv2_s() -> None:
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        Shell(session).run(["mirroring_add 5 2"])
        wanted = p4r.CloneSessionEntry(session_id=5)
        [found] = session.read(
            packet_replication_engine_entry=p4r.PacketReplicationEngineEntry(
                clone_session_entry=wanted
            )
        )
    replicas = found.packet_replication_engine_entry.clone_session_entry.replicas
    assert [each.instance for each in replicas] == [0]


def test_replicas_of_another_session_get_nodes_when_they_are_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        Shell(session).run(["mc_mgrp_create 5", "mc_node_create 7 1 2 |", "mc_node_associate 5 0"])
        Shell(session).run(["mc_dump", "mc_node_dissociate 5 0", "mc_dump"])
    answers = capsys.readouterr().out.splitlines()
    assert [line for line in answers if "L1h" in line] == [
        "  -> (L1h=0, rid=7) -> (ports=[1, 2], lags=[])"
    ]


def test_a_modified_entry_keeps_what_other_controllers_attached() -> None:
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)
        shell.run(["table_add stations forward 1 => 1"])
        wanted = p4r.TableEntry(table_id=session.names.table("stations").preamble.id)
        [added] = session.read(table_entry=wanted)
        added.table_entry.metadata, added.table_entry.controller_metadata = b"theirs", 7
        session.modify(table_entry=added.table_entry)
        shell.run(["table_modify stations forward 0 2"])
        [modified] = session.read(table_entry=wanted)
    assert modified.table_entry.action != added.table_entry.action
    assert modified.table_entry.metadata == b"theirs"
    assert modified.table_entry.controller_metadata == 7


def test_a_program_that_is_loaded_runs_with_its_entries_when_it_is_swapped_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = PROGRAM.with_name("resources.json")
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        shell = Shell(session)
        shell.run(["register_write marks 0 3", f"load_new_config_file {other}"])
        shell.run(["reset_state", "table_add sources NoAction 1 =>"])
        assert switch.engine.registers_read([("KindsIngress.marks", 0)]) == [3]
        shell.run(["swap_configs", "table_num_entries sources", "table_delete sources 0"])
        assert shell.failures == 0
        shell.run(["register_read marks 0", "swap_configs"])
    answers, complaints = capsys.readouterr()
    assert "Loading new Json config\n" in answers
    assert "Swapping configs\n1\nDeleting entry 0 from sources\n" in answers
    no_register, nothing_waits = complaints.splitlines()
    assert "no register is named 'marks'" in no_register
    assert nothing_waits.endswith("no program waits; load_new_config_file loads one")


def test_a_program_without_its_p4info_beside_it_is_refused_and_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alone = tmp_path / "alone.json"
    alone.write_bytes(PROGRAM.read_bytes())
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        Shell(session).run([f"load_new_config_file {alone}", "register_read marks 0"])
    answers, complaints = capsys.readouterr()
    assert answers == "marks[0]= 0\n"
    [complaint] = complaints.splitlines()
    assert "alone.p4info.txtpb: No such file or directory; the P4Info belongs beside " in complaint
    assert complaint.endswith(f"writes it with --p4runtime-files {tmp_path}/alone.p4info.txtpb")


def test_a_p4info_that_is_none_is_refused_by_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (alone := tmp_path / "alone.json").write_bytes(PROGRAM.read_bytes())
    (tmp_path / "alone.p4info.txtpb").write_text("tables {")
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        Shell(session).run([f"load_new_config_file {alone}"])
    complaint = capsys.readouterr().err
    assert f"{tmp_path}/alone.p4info.txtpb is no P4Info in text form: " in complaint
    assert complaint.count("\n") == 1

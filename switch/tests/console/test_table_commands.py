"""Tables from BMv2's command line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from p4abs_switch.runtime.tables import Tables

KINDS = Path(__file__).parents[3] / "switch" / "tests" / "programs" / "kinds.json"

Say = Callable[[str], tuple[list[str], list[str]]]


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("stations 08:00:00:00:01:11", ["080000000111"]),
        ("stations 0x11", ["000000000011"]),
        ("prefixes 10:00:00:00:00:ff/8", ["100000000000/8"]),
        ("prefixes 0/0", ["000000000000/0"]),
        (
            "acl 0x800&&&0xff00 1->2 3&&&0x1ff",
            ["0800 &&& ff00", "000000000001 -> 000000000002", "0003 &&& 01ff"],
        ),
        (
            "acl 0&&&0 0->0xffffffffffff 0&&&0",
            ["0000 &&& 0000", "000000000000 -> ffffffffffff", "0000 &&& 0000"],
        ),
    ],
)
def test_an_entry_is_dumped_with_the_key_that_it_was_added_with(
    kinds: Say, key: str, shown: list[str]
) -> None:
    table, *fields = key.split()
    priority = "7" if table == "acl" else ""
    added, complaints = kinds(
        f"table_add {table} forward {' '.join(fields)} => 3 {priority}\ntable_dump_entry {table} 0"
    )
    assert complaints == []
    assert "Entry has been added with handle 0" in added
    fields = [line.partition(": ")[2] for line in added if line.startswith("*")]
    assert [field.split(maxsplit=1)[1] for field in fields] == shown
    assert ("Priority: 7" in added) == (table == "acl")
    assert added[-1].endswith(".forward - 03")


def test_of_two_priorities_the_lower_number_wins_as_on_bmv2(kinds: Say) -> None:
    any_key = "0&&&0 0->0xffffffffffff 0&&&0"
    kinds(f"table_add acl forward {any_key} => 1 10\ntable_add acl forward {any_key} => 2 20")
    answers, _ = kinds("table_dump acl")
    priorities = {line.split()[1] for line in answers if line.startswith("Priority")}
    assert priorities == {"10", "20"}
    answers, _ = kinds(f"table_dump_entry_from_key acl {any_key} 10")
    assert answers[-1].endswith("forward - 01")


def test_handles_outlive_other_entries(kinds: Say) -> None:
    kinds("\n".join(f"table_add stations forward {key} => {key}" for key in (1, 2, 3)))
    answers, complaints = kinds(
        "table_delete stations 0\ntable_modify stations forward 2 => 7\n"
        "table_dump_entry stations 2\ntable_num_entries stations\n"
        "table_add stations forward 9 => 1"
    )
    assert complaints == []
    assert "Action entry: KindsIngress.forward - 07" in answers
    assert "2" in answers
    assert answers[-1] == f"Entry has been added with handle {1 << 24}"  # as BMv2 counts
    assert kinds("table_delete stations 0")[1] == [
        "line 1: table_delete: table KindsIngress.stations has no entry 0; valid: 16777216, 1, 2"
    ]


@pytest.mark.parametrize(
    ("key", "kind", "shown"),
    [
        ("stations 08:00:00:00:01:11", "exact", "EXACT-08:00:00:00:01:11"),
        ("prefixes 0x100000000000/8", "lpm", "LPM-10:00:00:00:00:00/8"),
        (
            "acl 0x800&&&0xff00 1->2 3&&&0x1ff",
            "range",
            "TERNARY-08:00 &&& ff:00\tRANGE-00:00:00:00:00:01 -> 00:00:00:00:00:02"
            "\tTERNARY-00:03 &&& 01:ff",
        ),
    ],
)
def test_what_is_added_is_repeated_as_on_bmv2(kinds: Say, key: str, kind: str, shown: str) -> None:
    table, *fields = key.split()
    priority = "7" if table == "acl" else ""
    answers, _ = kinds(f"table_add {table} forward {' '.join(fields)} => 3 {priority}")
    assert answers == [
        f"Adding entry to {kind} match table {table}",
        f"match key:           {shown}",
        "action:              forward",
        "runtime data:        00:03",
        "Entry has been added with handle 0",
    ]


def test_what_is_changed_is_said_as_on_bmv2(kinds: Say) -> None:
    kinds("table_add stations forward 1 => 1")
    answers, complaints = kinds(
        "table_modify stations forward 0 2\ntable_delete stations 0\n"
        "table_set_default prefixes forward 2"
    )
    assert complaints == []
    assert answers == [
        "Modifying entry 0 for exact match table stations",
        "Deleting entry 0 from stations",
        "Setting default action of prefixes",
        "action:              forward",
        "runtime data:        00:02",
    ]


def test_an_entry_of_a_table_with_timeouts_is_shown_with_its_life(resources: Say) -> None:
    answers, complaints = resources(
        "table_add sources NoAction 1 =>\ntable_dump_entry sources 0\n"
        "table_set_timeout sources 0 1500\ntable_dump_entry sources 0"
    )
    assert complaints == []
    assert [line for line in answers if line.startswith(("Life", "Setting"))] == [
        "Setting a 1500 ms timeout for entry 0",
        "Life: 0ms since hit, timeout is 1500ms",
    ]


def test_a_default_entry_is_set_and_reset(kinds: Say) -> None:
    def default() -> str:
        return kinds("table_dump prefixes")[0][-2]

    declared = default()
    kinds("table_set_default prefixes forward 2")
    assert default() == "Action entry: KindsIngress.forward - 02"
    kinds("table_reset_default prefixes")
    assert default() == declared


def test_entries_are_added_without_reading_the_table_each_time(
    kinds: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[object] = []
    entries = Tables.entries
    monkeypatch.setattr(
        Tables, "entries", lambda tables, table: reads.append(table) or entries(tables, table)
    )
    added = "\n".join(f"table_add stations forward {key} => 1" for key in range(1, 5))
    answers, _ = kinds(added)
    assert answers[-1] == "Entry has been added with handle 3"
    assert len(reads) == 1


def test_a_cleared_table_is_empty(kinds: Say) -> None:
    kinds("table_add stations forward 1 => 1\ntable_add stations forward 2 => 1")
    assert kinds("table_clear stations\ntable_num_entries stations") == (["0"], [])


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        (
            "table_add nowhere forward 1 => 1",
            "no table is named 'nowhere'; valid: KindsIngress.sta",
        ),
        (
            "table_add stations fly 1 => 1",
            "no action of table KindsIngress.stations is named 'fly'",
        ),
        ("table_add stations forward 1 => 512", "is '512', which does not fit in bit<9>"),
        (
            "table_add keyless forward 1 => 1",
            "table KindsIngress.keyless: 1 key field given; needed: none",
        ),
        (
            "table_add stations forward 1 2 => 1",
            "2 key fields given; needed: hdr.ethernet.destination(",
        ),
        ("table_add stations forward 1 =>", "0 parameters given; needed: port(9)"),
        ("table_add stations forward 1 1", "no => between key and parameters"),
        ("table_add stations forward 10.0.0.0.1 => 1", "valid: a number such as 17"),
        ("table_add prefixes forward 1 => 1", "is '1'; valid: VALUE/LENGTH"),
        ("table_add prefixes forward 1/49 => 1", "is '49'; valid: a whole number from 0 to 48"),
        ("table_add stations forward 1=>1", "'1=>1': => needs a blank before it and after it"),
        (
            "table_add stations forward \uff11 => 1",
            "destination of table KindsIngress.stations is '\uff11'",
        ),
        ("table_add stations forward 1 => 1_0", "port of action KindsIngress.forward is '1_0'"),
        (
            "table_add prefixes forward 1/\uff11 => 1",
            "is '\uff11'; valid: a whole number from 0 to 48",
        ),
        ("table_delete stations \uff10", "the handle is '\uff10'; valid: a whole number from 0"),
        (
            "register_write marks 0 \uff11",
            "value of register KindsIngress.marks is '\uff11'; valid:",
        ),
        ("mc_mgrp_create \uff11", "the group is '\uff11'; valid: a whole number from 1 to 65535"),
        ("table_add prefixes forward 1/-1 => 1", "is '-1'; valid: a whole number from 0 to 48"),
        ("table_add stations forward 1.2.3.4 => 1", "an address of 32 bits, and not bit<48>"),
        ("table_add acl forward 0 0->1 0&&&0 => 1 1", "is '0'; valid: VALUE&&&VALUE"),
        ("table_add acl forward 0&&&0 2->1 0&&&0 => 1 1", "its low end is above its high end"),
        ("table_add acl forward 0&&&0 0->1 1&&&1 => 1 1", "valid: 0 or all ones"),
        ("table_add acl forward 0&&&0 0->1 0&&&0 => 1 x", "priority of table KindsIngress.acl"),
        ("table_dump", "0 arguments given; needed: table"),
        ("table_delete stations x", "the handle is 'x'; valid: a whole number from 0"),
        (
            "table_add acl drop 0&&&0 0->3 0&&&0 =>",
            "table KindsIngress.acl: the priority is missing; add a whole number at the end",
        ),
        ("table_add acl forward 0&&&0 0->3 0&&&0 => 1", "acl: the priority is missing"),
        ("fly", "no such command; `help` lists all"),
        ("TABLE_ADD stations", "no such command; did you mean table_add or"),
        ("mirroring_add one 1", "the session is 'one'; valid: a whole number from 1 to 32767"),
        ("mirroring_add 1 one", "the port is 'one'; valid: a whole number from 0 to 510"),
        ("tabel_add stations", "no such command; did you mean table_add or table_"),
        ("switch_info", "P4Runtime knows only the switch's program"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(kinds: Say, command: str, complaint: str) -> None:
    answers, complaints = kinds(command)
    assert answers == []
    [line] = complaints
    assert line.startswith(f"line 1: {command.split()[0]}: ")
    assert complaint in line


def test_a_table_that_is_not_there_is_named(resources: Say) -> None:
    _, [complaint] = resources("table_add classes classify 1 =>\ntable_info nope")
    assert "no table is named 'nope'" in complaint


def test_a_switch_is_reset_with_the_handles_of_the_session(kinds: Say) -> None:
    kinds("table_add stations forward 1 => 1\nregister_write marks 0 7\nmc_node_create 1 1")
    answers, complaints = kinds(
        "reset_state\ntable_num_entries stations\nregister_read marks 0\n"
        "table_add stations forward 1 => 1\nmc_node_destroy 0"
    )
    assert answers[:2] == ["0", "marks[0]= 0"]
    assert answers[-1] == "Entry has been added with handle 0"
    assert complaints == [
        "line 5: mc_node_destroy: this session has created no node 0; valid: none"
    ]


def test_the_program_is_written_to_a_file(kinds: Say, tmp_path: Path) -> None:
    assert kinds(f"write_config_to_file {tmp_path / 'written.json'}") == ([], [])
    assert (tmp_path / "written.json").read_bytes() == KINDS.read_bytes()
    assert kinds(f"write_config_to_file {tmp_path}") == (
        [],
        [f"line 1: write_config_to_file: {tmp_path}: Is a directory"],
    )


def test_tables_are_shown_as_on_bmv2(kinds: Say) -> None:
    answers, _ = kinds("show_tables")
    key = "mk=hdr.ethernet.destination(exact, 48)"
    assert answers[-1] == f"{'KindsIngress.stations':30} [implementation=None, {key}]"
    answers, _ = kinds("table_info keyless")
    assert answers[0].endswith("mk=]")


def test_a_handle_that_is_no_number_is_refused(kinds: Say) -> None:
    commands = ("table_dump_entry stations x", "table_delete stations x")
    _, complaints = kinds("\n".join(commands))
    assert len(complaints) == len(commands)
    assert all("the handle is 'x'; valid: a whole number" in line for line in complaints)

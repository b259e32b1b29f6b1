"""What READMEs tell, and what is told of it."""

from pathlib import Path

import pytest
from conformance.page import lines as told
from conformance.readmes.demonstrations import Demonstration, find
from conformance.readmes.frames import Frames, counted, refused
from conformance.readmes.readme import Readme, Sending, read
from conformance.table import READMES
from p4abs_switch.errors import UserError

README = """
    sudo simple_switch --log-console -i 1@veth2 -i 2@veth4 demo.json

General syntax: table_add <table name> <action name> <match fields>

    table_add routes forward 10.0.0.1/32 => 2
    RuntimeCmd: counter_read seen 0
Then, in Scapy, from demo.p4:
first=Ether() / IP(dst='10.0.0.1')
second = Ether() / IP(dst='10.0.0.2')
unsent=Ether()
sendp(first, iface="veth2")
sendp(second, iface="veth5")
sendp(first, iface="veth2")
sendp(unknown, iface="veth2")
"""
TELLS = Readme(
    ("table_add routes forward 10.0.0.1/32 => 2", "counter_read seen 0"),
    (
        Sending("first", "Ether() / IP(dst='10.0.0.1')", 1),
        Sending("second", "Ether() / IP(dst='10.0.0.2')", 2),
        Sending("unsent", "Ether()", 1),
    ),
    (1, 2),
)
SAME = Frames(1, (((2, "00ff"),), ()), ("0]= 5",))


def test_commands_frames_and_ports_are_read_but_no_descriptions() -> None:
    assert read(README) == TELLS
    assert TELLS.readings == ("counter_read seen 0",)


def test_without_interfaces_a_switch_has_the_ports_that_most_readmes_have() -> None:
    assert read("frame=Ether()\n").ports == tuple(range(8))


def test_a_readme_goes_with_the_programs_that_it_names_and_their_json(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "README.md").write_text(README)
    for name in ("demo.p4", "other.p4", "demo.p4c-2019.json", "other.json"):
        (folder / name).touch()
    for words in ("nothing", "table_add routes forward 1 => 2", "frame=Ether()"):
        (tmp_path / f"README-{words[:5]}.md").write_text(f"{words}\n other.p4")
    (tmp_path / "other.p4").touch()
    found = find(tmp_path)
    assert [each.name for each in found] == ["demo/demo.p4", "demo/demo.p4c-2019.json"]
    assert [each.is_compiled for each in found] == [False, True]
    assert {each.readme for each in found} == {TELLS}


def test_a_folder_without_demonstrations_is_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no checkout of jafingerhut/p4-guide"):
        find(tmp_path)


def test_the_version_of_p4_is_told_by_the_file_name(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"{README} demo.p4_14.p4 demo.p4_16.p4")
    for name in ("demo.p4_14.p4", "demo.p4_16.p4"):
        (tmp_path / name).touch()
    assert [each.language for each in find(tmp_path)] == ["p4-14", "p4-16"]


def test_refusals_and_counts_are_read_from_either_command_line() -> None:
    said = (
        "RuntimeCmd: Adding entry\nRuntimeCmd: Error: Invalid table name\n"
        "Error: line 3: table_add: no table\nInvalid table operation (DUPLICATE_ENTRY)\n"
        "RuntimeCmd: seen[0]= (60 bytes, 1 packets)\nIngress.seen[1]= 7\n"
    )
    assert refused(said) == 3
    assert counted(said) == ("0]= (60 bytes, 1 packets)", "1]= 7")


@pytest.mark.parametrize(
    ("here", "is_other"),
    [
        (SAME, False),
        (Frames(0, SAME.arrived, SAME.counted), False),
        (Frames(1, (((3, "00ff"),), ()), SAME.counted), True),
        (Frames(1, SAME.arrived, ("0]= 6",)), True),
        (Frames(broken="it ended"), True),
    ],
)
def test_other_frames_or_counts_are_worse(here: Frames, *, is_other: bool) -> None:
    assert here.is_worse_than(SAME) is is_other
    assert ("other frames" in section(here, SAME)) is is_other


def section(here: Frames, there: Frames, left_out: dict[str, str] | None = None) -> str:
    labs = [Demonstration(Path(), Path("demo.p4"), TELLS)]
    return "\n".join(
        told(READMES.section, labs, {"demo.p4": {"here": here, "there": there}}, left_out or {})
    )


def test_what_is_broken_on_bmv2_is_not_held_against_the_switch() -> None:
    broken = Frames(broken="it ended | early")
    assert not SAME.is_worse_than(broken)
    page = section(SAME, broken, {"old.p4": "error: too old"})
    assert "| demo.p4 | 2 frames, 1 out | broken: it ended \\| early |" in page
    assert "- old.p4: `error: too old`" in page

"""Where a port was written is told with what the program cannot serve; else it does not matter."""

from pathlib import Path

import pytest
from p4abs.access.program import load_program
from p4abs.config import Source, SwitchSettings, load_settings, read_toml
from p4abs.errors import UserError
from p4abs.session.requirements import fitted

FILE = """
[switch]
name = "spine"

{blank}[[port]]
number = "1-2"
capacity = "10Mbit"

[[port]]
number = 3
"""


def loaded(folder: Path, blank: str = "", **flags: object) -> SwitchSettings:
    path = folder / "abs.toml"
    path.write_text(FILE.format(blank=blank), encoding="utf-8")
    return load_settings(read_toml(path), {}, **flags).switch[0]


def test_what_a_program_cannot_serve_is_told_with_the_place_of_the_port(tmp_path: Path) -> None:
    capabilities = load_program("virtual_queue").capabilities()
    with pytest.raises(UserError) as refused:
        fitted(capabilities, loaded(tmp_path))
    assert str(refused.value).startswith(f"{tmp_path}/abs.toml:9: port 3: capacity is missing")


def test_a_port_of_an_option_has_no_place(tmp_path: Path) -> None:
    capabilities = load_program("virtual_queue").capabilities()
    [settings] = load_settings(Source(), {}, [{"number": "4"}]).switch
    with pytest.raises(UserError, match=r"^port 4: capacity is missing"):
        fitted(capabilities, settings)


def test_the_place_of_a_port_makes_no_difference(tmp_path: Path) -> None:
    assert loaded(tmp_path) == loaded(tmp_path, "\n\n")
    changed = loaded(tmp_path, port_flags=[{"number": "3", "capacity": "9Mbit"}])
    assert loaded(tmp_path) != changed

"""The program that a switch starts with: where its P4Info comes from, and what is said of it."""

import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from finsy.proto import p4i
from p4abs_switch import PortConfig
from p4abs_switch.p4info_text import P4INFO_ENDINGS
from p4abs_switch.server.config import SwitchConfig, ThriftConfig
from p4abs_switch.server.errors import ProgramUnavailable
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

from .controller import connected


@pytest.fixture
def program(tmp_path: Path, kinds_json: Path) -> Path:
    """The kinds program without its P4Info."""
    alone = tmp_path / "build" / "x.json"
    alone.parent.mkdir()
    shutil.copy(kinds_json, alone)
    return alone


@pytest.fixture
def text(kinds_json: Path) -> str:
    """The P4Info of the kinds program."""
    return kinds_json.with_suffix(".p4info.txtpb").read_text()


async def told(settings: SwitchConfig) -> tuple[p4i.P4Info, str]:
    """What controllers see as P4Info, and what the user is told."""
    async with running(settings, live=False) as switch, connected(switch.address) as controller:
        return (await controller.get_config()).config.p4info, switch.summary


@pytest.mark.parametrize("ending", P4INFO_ENDINGS)
async def test_a_p4info_is_found_under_any_name_that_compilers_and_tutorials_give_it(
    ending: str, program: Path, text: str, kinds_p4info: p4i.P4Info
) -> None:
    found = program.with_suffix(ending)
    found.write_text(text)
    p4info, summary = await told(config(program=program))
    assert p4info == kinds_p4info
    assert summary.startswith(f"{program} with {found}; ")


async def test_a_p4info_that_is_named_goes_before_one_beside_the_program(
    tmp_path: Path, program: Path, text: str, kinds_p4info: p4i.P4Info
) -> None:
    program.with_suffix(".p4info.txtpb").write_text("of another kind")
    named = tmp_path / "named"
    named.write_text(text)
    p4info, summary = await told(replace(config(program=program), p4info=named))
    assert p4info == kinds_p4info
    assert f" with {named}; " in summary


async def test_without_a_p4info_controllers_have_one_that_is_derived_from_the_program(
    program: Path, kinds_p4info: p4i.P4Info
) -> None:
    p4info, summary = await told(config(program=program))
    assert names(p4info.tables) == names(kinds_p4info.tables)
    assert summary.startswith(f"{program} with a P4Info derived from it; ")


@pytest.mark.parametrize(
    ("added", "warning"),
    [("\ufeff", "byte order mark"), ("from_the_future: 7\n", "from_the_future")],
)
async def test_what_newer_compilers_write_in_a_p4info_is_left_out_with_a_warning(
    added: str,
    warning: str,
    program: Path,
    text: str,
    kinds_p4info: p4i.P4Info,
    caplog: pytest.LogCaptureFixture,
) -> None:
    program.with_suffix(".p4info.txtpb").write_text(f"{added}{text}")
    p4info, _ = await told(config(program=program))
    assert p4info == kinds_p4info
    [message] = caplog.messages
    assert warning in message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("tables {", ""),
        ("nonsense: 1", ""),
        ("\x00", ""),
        ('{"pkgInfo": {"arch": "v1model"}}', "it is JSON; p4c-bm2-ss writes text to a file named"),
    ],
)
async def test_what_is_no_p4info_is_refused_by_its_name(
    content: str, reason: str, program: Path
) -> None:
    found = program.with_suffix(".p4info.txtpb")
    found.write_text(content)
    refused = rf"^{found}: not P4Info text: {reason}[^\n]+$"
    with pytest.raises(ProgramUnavailable, match=refused):
        await told(config(program=program))


async def test_the_start_line_tells_program_ports_entries_and_addresses(program: Path) -> None:
    ports = [PortConfig(1, interface="veth1"), PortConfig(2)]
    settings = replace(
        config(program=program, ports=ports),
        thrift=ThriftConfig("127.0.0.1", 0, notifications=None),
    )
    async with running(settings, live=False) as switch:
        assert switch.summary == (
            f"{program} with a P4Info derived from it; ports 1@veth1, 2, controller's port 510; "
            f"1 table entry; P4Runtime at {switch.address} as device 1; "
            f"Thrift at 127.0.0.1:{switch.thrift_port}"
        )


async def test_the_start_line_of_many_ports_tells_the_first_and_the_last() -> None:
    ports = [PortConfig(number, interface=f"veth{number}") for number in range(1, 33)]
    _, summary = await told(config(ports=ports, cpu_port=None))
    assert "; 32 ports, 1@veth1 to 32@veth32; " in summary


async def test_without_a_program_the_start_line_says_what_becomes_of_packets() -> None:
    async with running(config(), live=False) as switch:
        assert switch.summary == (
            "no program: packets are dropped until a controller pushes one; "
            f"no ports, controller's port 510; P4Runtime at {switch.address} as device 1"
        )


def names(tables: Iterable[p4i.Table]) -> set[str]:
    return {table.preamble.name for table in tables}

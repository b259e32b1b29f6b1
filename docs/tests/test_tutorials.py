"""The tutorials, done from their first to their last command, as a student would."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from docs.tests.blocks import Block, code_blocks
from docs.tests.mentions import ROOT
from docs.tests.terminals import Terminals

TUTORIALS = ROOT / "docs" / "tutorials"
FILES = TUTORIALS / "first-program"
PROGRAM = code_blocks(TUTORIALS / "first-program.md")
TESTS = code_blocks(TUTORIALS / "first-packet-tests.md")
DEPLOYMENT = code_blocks(TUTORIALS / "first-deployment.md")
COMPILER = "p4c-bm2-ss"
PRODUCTS = ("first.json", "first.p4info.txtpb")
UPDATE = (
    "compile docs/tutorials/first-program/first.p4 as its tutorial says, and write there: "
    "sha256sum first.p4 first.json first.p4info.txtpb > sources.sha256"
)
# Whoever is root needs no sudo.
SUDO = '#!/bin/sh\nexec "$@"\n'
# Machines without ping have this one. It knows what the page asks of it.
PING = """#!{python} -I
import sys
from scapy.all import ICMP, IP, sr1
for _ in range(int(sys.argv[2])):
    answered = sr1(IP(dst=sys.argv[3]) / ICMP(), timeout=10, verbose=False)
print(f"{{0 if answered else 100}}% packet loss".rjust(16))
sys.exit(0 if answered else 1)
"""
# Mininet would change limits of the whole machine.
WITHOUT_LIMITS = """
import sys
if sys.orig_argv[-1:] == ["lab.py"]:
    from mininet.net import Mininet
    Mininet.inited = True
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The page's files, where commands are given, and the venv of the page."""
    work = tmp_path / "first-program"
    shutil.copytree(FILES, work)
    (work / "p4abs-venv").symlink_to(sys.prefix)
    return work


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The commands of the package are linked; the venv is not on PATH."""
    links, path = tmp_path / "bin", tmp_path / "python"
    links.mkdir()
    path.mkdir()
    for command in Path(sys.prefix, "bin").glob("p4abs*"):
        (links / command.name).symlink_to(command)
    _write(links / "sudo", SUDO)
    if shutil.which("ping") is None:
        _write(links / "ping", PING.format(python=sys.executable))
    # Debian's Python, which has Mininet, is that of a student's machine.
    (links / "python3").symlink_to("/usr/bin/python3")
    (path / "sitecustomize.py").write_text(WITHOUT_LIMITS)
    others = [
        each for each in os.environ["PATH"].split(":") if Path(each) != Path(sys.prefix, "bin")
    ]
    return {"PATH": ":".join([str(links), *others]), "PYTHONPATH": str(path)}


@pytest.fixture
def terminals(folder: Path, environment: dict[str, str]) -> Iterator[Terminals]:
    with Terminals(folder, environment) as terminals:
        yield terminals


def is_typed(block: Block) -> bool:
    """The compiler's where there is one."""
    return block.not_run == "root" or (block.not_run == "p4c" and bool(shutil.which(COMPILER)))


class Said:
    """What the typed blocks of pages said, by a part of each."""

    def __init__(self, terminals: Terminals, blocks: Sequence[Block]) -> None:
        self._said = [
            (block.text, terminals.type(block.text)) for block in blocks if is_typed(block)
        ]

    def of(self, command: str) -> str:
        [said] = [said for text, said in self._said if command in text]
        return said


def test_the_first_program_and_its_packet_tests(terminals: Terminals, folder: Path) -> None:
    said = Said(terminals, PROGRAM)
    shown = next(block.text for block in PROGRAM if "listening on" in block.text)
    assert said.of("-i 1@s1-eth1 -i 2@s1-eth2") == shown
    assert "3 inserted" in said.of("p4abs runtime")
    assert " 0% packet loss" in said.of("ping -c 1 ")
    assert "table FirstIngress.stations" in said.of("p4abs trace")
    _, _, dump = said.of("p4abs read").partition("arrivals[1]: ")
    assert int(dump.split()[0]) > 0
    assert "FirstIngress.forward - 02" in dump
    assert " 0% packet loss" in said.of("lab.py")
    assert "P4Runtime at " in (folder / "s1.log").read_text()

    said = Said(terminals, TESTS)
    assert said.of("p4abs stf first.json first.stf") == "passed\n"
    assert said.of("> back.stf") == "passed\n"
    assert said.of("wrong.stf").endswith("the test has failed\n")
    assert "table FirstIngress.stations" in said.of("wrong.stf")
    assert said.of("p4abs-venv/bin/ptf").count("... ok") == 2


def test_the_first_deployment(terminals: Terminals, folder: Path) -> None:
    said = Said(terminals, DEPLOYMENT)
    assert "the first exchange took" in said.of("p4abs check --exchange")
    assert "differs" not in said.of("p4abs check --exchange")
    assert "Entry has been added" in said.of("table_add")
    assert "p4abs_primary{" in said.of("curl")
    events = (folder / "third.log").read_text()
    assert "held by safe limit" in events or "released" in events
    assert terminals.type("ip link show") == terminals.type("ip link show lo")


def test_the_files_that_the_page_shows_are_those_beside_it() -> None:
    [entries] = [block.text for block in PROGRAM if block.language == "json"]
    assert json.loads(entries) == json.loads((FILES / "entries.json").read_text())
    [test] = [block.text for block in TESTS if block.text.startswith("# A frame to a known")]
    assert (FILES / "first.stf").read_text().startswith(test)
    [packet_test] = [block.text for block in TESTS if block.language == "python"]
    assert packet_test in (FILES / "packet-tests" / "forwarding.py").read_text()


def test_the_compiled_program_is_that_of_its_source() -> None:
    lines = (FILES / "sources.sha256").read_text().splitlines()
    assert {name: digest for digest, name in map(str.split, lines)} == {
        name: hashlib.sha256((FILES / name).read_bytes()).hexdigest()
        for name in ("first.p4", *PRODUCTS)
    }, UPDATE


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason="p4c is not installed")
def test_compiling_the_program_gives_what_lies_beside_it(tmp_path: Path) -> None:
    [block] = [block for block in PROGRAM if block.not_run == "p4c"]
    shutil.copy(FILES / "first.p4", tmp_path)
    subprocess.run(["sh", "-c", block.text], cwd=tmp_path, check=True, timeout=60)
    for name in PRODUCTS:
        assert (tmp_path / name).read_text() == (FILES / name).read_text(), UPDATE


def _write(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)

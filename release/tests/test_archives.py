"""What is in the archives that `make dist` has made."""

import email
import hashlib
import tarfile
import zipfile
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from release.__main__ import REPOSITORY
from release.crates import cargo_metadata, linked_crates

ELF_MACHINE_OFFSET = 18
ELF_MACHINES = {"x86_64": 0x3E, "aarch64": 0xB7}
LIBRARY = "p4abs_switch/_engine.abi3.so"


def wheels(dist: Path, pattern: str) -> list[zipfile.ZipFile]:
    found = [zipfile.ZipFile(path) for path in sorted(dist.glob(f"{pattern}.whl"))]
    assert found
    return found


def contents(dist: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of every archive, by its names in both."""
    for wheel in wheels(dist, "*"):
        for name in wheel.namelist():
            yield f"{wheel.filename}: {name}", wheel.read(name)
    for path in dist.glob("*.tar.gz"):
        with tarfile.open(path) as archive:
            for member in archive.getmembers():
                if member.isfile():
                    file = archive.extractfile(member)
                    assert file is not None
                    yield f"{path}: {member.name}", file.read()


def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return email.message_from_bytes(wheel.read(name))


def test_each_package_is_there_once_for_each_machine(dist: Path) -> None:
    for package in ("p4abs", "p4abs_demonstration"):
        assert len(list(dist.glob(f"{package}-*-py3-none-any.whl"))) == 1
    assert len(list(dist.glob("p4abs_experiments-*.tar.gz"))) == 1
    for wheel in dist.glob("p4abs_switch-*.whl"):
        assert "-cp311-abi3-manylinux" in wheel.name


def test_the_digests_are_those_of_the_archives(dist: Path) -> None:
    lines = (line.split("  ") for line in (dist / "SHA256SUMS").read_text().splitlines())
    recorded = {name: digest for digest, name in lines}
    assert recorded == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in dist.iterdir()
        if path.name != "SHA256SUMS"
    }


def test_wheels_say_what_they_are_and_bear_their_licence(dist: Path) -> None:
    for wheel in wheels(dist, "*"):
        about = metadata(wheel)
        assert about["License-Expression"] == "Apache-2.0"
        assert about["Summary"]
        assert about["Requires-Python"] == ">=3.11"
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel.namelist())


def test_every_crate_that_is_linked_is_in_the_licences(dist: Path) -> None:
    target = "x86_64-unknown-linux-gnu"
    crates = linked_crates(cargo_metadata(REPOSITORY / "switch", target), "binding")
    assert crates
    for wheel in wheels(dist, "p4abs_switch-*"):
        (name,) = (name for name in wheel.namelist() if name.endswith("/LICENSE-crates.txt"))
        text = wheel.read(name).decode()
        for crate in crates:
            assert f"{crate.name} {crate.version}: {crate.licence}" in text
            assert all(licence.strip() in text for _, licence in crate.texts)
        assert any(each.endswith("/LICENSE-rust-library.html") for each in wheel.namelist())


def test_the_compiled_programs_are_in_the_wheel_of_p4abs(dist: Path) -> None:
    (wheel,) = wheels(dist, "p4abs-*")
    for program in ("queue", "shared_queue", "virtual_queue"):
        for suffix in ("json", "p4info.txtpb"):
            source = REPOSITORY / "p4src" / "build" / f"{program}.{suffix}"
            assert wheel.read(f"p4abs/programs/{program}.{suffix}") == source.read_bytes()


@pytest.mark.parametrize(
    ("pattern", "unit"),
    [
        ("p4abs-*", "controller/systemd/p4abs-control.service"),
        ("p4abs_switch-*", "switch/wheel-data/data/share/p4abs/systemd/p4abs-switch.service"),
    ],
)
def test_a_unit_is_in_the_wheel_of_what_it_starts(dist: Path, pattern: str, unit: str) -> None:
    for wheel in wheels(dist, pattern):
        (name,) = (name for name in wheel.namelist() if name.endswith(".service"))
        assert name.endswith(f".data/data/share/p4abs/systemd/{Path(unit).name}")
        assert wheel.read(name) == (REPOSITORY / unit).read_bytes()


def test_the_library_is_of_the_machine_that_its_wheel_names(dist: Path) -> None:
    for wheel in wheels(dist, "p4abs_switch-*"):
        assert wheel.filename is not None
        (machine,) = (name for name in ELF_MACHINES if wheel.filename.endswith(f"_{name}.whl"))
        header = wheel.read(LIBRARY)[ELF_MACHINE_OFFSET : ELF_MACHINE_OFFSET + 2]
        assert int.from_bytes(header, "little") == ELF_MACHINES[machine]


def test_no_tests_are_in_the_wheels(dist: Path) -> None:
    for wheel in wheels(dist, "*"):
        assert not [name for name in wheel.namelist() if "tests/" in name]


@pytest.mark.parametrize("place", [str(REPOSITORY), str(Path.home())])
def test_nothing_says_where_it_was_built(dist: Path, place: str) -> None:
    telling = [name for name, content in contents(dist) if place.encode() in content]
    assert telling == []

"""A release is of a commit, whatever lies around it, and archives are of their contents alone."""

import os
import subprocess
import tarfile
import time
from pathlib import Path

import pytest

from release.__main__ import main
from release.archives import make_reproducible
from release.errors import ReleaseError
from release.staging import PACKAGES, check_clean, commit_time, stage


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One commit of 2001, with a file in each package."""
    folder = tmp_path / "repository"
    for package in PACKAGES:
        (folder / package).mkdir(parents=True)
        (folder / package / "code").write_text("committed\n")
    (folder / "LICENSE").write_text("the licence\n")
    identity = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    dates = {"GIT_AUTHOR_DATE": "1000000000 +0000", "GIT_COMMITTER_DATE": "1000000000 +0000"}
    for words in (("init", "--quiet"), ("add", "."), (*identity, "commit", "--quiet", "-m", "one")):
        subprocess.run(["git", *words], cwd=folder, env=os.environ | dates, check=True)
    return folder


def test_only_what_is_committed_is_staged(repository: Path, tmp_path: Path) -> None:
    (repository / "switch" / "code").write_text("changed\n")
    (repository / "switch" / "new").touch()
    stage(repository, tmp_path / "staged")
    assert (tmp_path / "staged" / "switch" / "code").read_text() == "committed\n"
    assert not (tmp_path / "staged" / "switch" / "new").exists()


def test_what_was_staged_before_is_gone(repository: Path, tmp_path: Path) -> None:
    (tmp_path / "staged").mkdir()
    (tmp_path / "staged" / "old").touch()
    stage(repository, tmp_path / "staged")
    assert not (tmp_path / "staged" / "old").exists()


def test_each_package_has_the_licence(repository: Path, tmp_path: Path) -> None:
    stage(repository, tmp_path / "staged")
    for package in PACKAGES:
        assert (tmp_path / "staged" / package / "LICENSE").read_text() == "the licence\n"


def test_staged_files_are_new_so_that_cargo_compiles_them(repository: Path, tmp_path: Path) -> None:
    begun_s = time.time() - 1  # clocks of file systems are coarse
    stage(repository, tmp_path / "staged")
    assert (tmp_path / "staged" / "switch" / "code").stat().st_mtime > begun_s


def test_the_time_of_a_release_is_its_commits(repository: Path) -> None:
    assert commit_time(repository) == 1_000_000_000


def test_what_is_not_committed_stops_a_release_and_is_named(repository: Path) -> None:
    check_clean(repository)
    (repository / "switch" / "new").touch()
    with pytest.raises(ReleaseError, match="switch/new"):
        check_clean(repository)


def test_an_archive_does_not_tell_when_or_by_whom_it_was_made(tmp_path: Path) -> None:
    made = []
    for time_s, names in ((1, ("one", "two")), (2_000_000_000, ("two", "one"))):
        archive = tmp_path / f"{time_s}.tar.gz"
        with tarfile.open(archive, "w:gz") as file:
            for name in names:
                content = tmp_path / name
                content.write_text(name)
                os.utime(content, (time_s, time_s))
                file.add(content, name)
        make_reproducible(archive, 1_000_000_000)
        made.append(archive.read_bytes())
    assert made[0] == made[1]
    with tarfile.open(tmp_path / "1.tar.gz") as file:
        assert {member.name: member.mtime for member in file} == dict.fromkeys(
            ("one", "two"), 1_000_000_000
        )


def test_archives_that_are_not_there_cannot_be_compared_and_that_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("release.__main__.check_clean", lambda _repository: None)
    assert main([str(tmp_path / "nowhere"), "--again"]) == 1
    errors = capsys.readouterr().err
    assert errors.startswith("release: ")
    assert "nowhere" in errors
    assert errors.count("\n") == 1

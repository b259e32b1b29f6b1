"""A commit's files in a folder of their own: nothing of a working tree gets into a release."""

import shutil
import subprocess
from pathlib import Path

from release.errors import ReleaseError

PACKAGES = ("controller", "switch", "demonstration", "experiments")


def check_clean(repository: Path) -> None:
    """Raises ReleaseError for changes that are in no commit."""
    changed = _git(repository, "status", "--porcelain").decode().splitlines()
    if changed:
        raise ReleaseError(f"what is released is a commit; not committed: {', '.join(changed)}")


def commit_time(repository: Path) -> int:
    """When the newest commit was made, in seconds since 1970."""
    return int(_git(repository, "log", "-1", "--format=%ct"))


def stage(repository: Path, folder: Path) -> None:
    """Writes the newest commit's files to a folder, in the place of what is there.

    Each package gets the licence, which stands at the top of the repository. Files are as old as
    this call: cargo takes what is older than its last compilation for compiled.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    archive = _git(repository, "-c", "tar.umask=0022", "archive", "--format=tar", "HEAD")
    subprocess.run(["tar", "--extract", "--touch"], cwd=folder, input=archive, check=True)
    for package in PACKAGES:
        shutil.copyfile(folder / "LICENSE", folder / package / "LICENSE")


def _git(repository: Path, *words: str) -> bytes:
    done = subprocess.run(["git", *words], cwd=repository, capture_output=True, check=False)
    if done.returncode != 0:
        raise ReleaseError(f"git {words[0]}: {done.stderr.decode().strip()}")
    return done.stdout

"""A load for all cores: this project's engine, compiled over and over into a folder of no use."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from p4abs.errors import P4absError, UserError
from p4abs_switch.testbed.process import ends_with_parent

MANIFEST = Path(__file__).resolve().parents[2] / "switch" / "Cargo.toml"
PACKAGE = "engine"
# One crate waits for the other, so each core gets a compilation of its own.
_LOOP = (
    f"while cargo build --quiet --offline --locked --jobs 1 --package {PACKAGE} "
    '--manifest-path "$0" --target-dir "$1"; do rm -rf "$1"; done'
)


class CompilerEnded(P4absError):
    """There was no load after all."""


def check_compiler() -> None:
    """Raises UserError where there is none."""
    if shutil.which("cargo") is None:
        raise UserError("cargo is not on PATH: it keeps the cores busy; make demo installs it")


@contextmanager
def compiler() -> Iterator[None]:
    """Keeps all cores busy. Raises CompilerEnded if it did not do so to the end."""
    user = _calling_user()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        if user:
            os.chown(folder, user["user"], user["group"])
        loops = [_start(Path(folder), core, user) for core in range(os.cpu_count() or 1)]
        try:
            yield
            if any(loop.poll() is not None for loop in loops):
                raise CompilerEnded(f"cargo does not compile {PACKAGE}: see its message above")
        finally:
            for loop in loops:
                with suppress(ProcessLookupError):
                    os.killpg(loop.pid, signal.SIGKILL)
                loop.wait()


def _start(folder: Path, core: int, user: Mapping[str, Any]) -> "subprocess.Popen[bytes]":
    """Starts a loop that leads a session, and so a group of processes, of its own."""
    return subprocess.Popen(
        ends_with_parent(("sh", "-c", _LOOP, str(MANIFEST), str(folder / str(core)))),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        **user,
    )


def _calling_user() -> dict[str, Any]:
    """Who called sudo, as Popen wants it: cargo's downloads are theirs."""
    name = os.environ.get("SUDO_USER")
    if name is None:
        return {}
    found = pwd.getpwnam(name)
    return {
        "user": found.pw_uid,
        "group": found.pw_gid,
        "extra_groups": [],
        "env": {**os.environ, "HOME": found.pw_dir},
    }

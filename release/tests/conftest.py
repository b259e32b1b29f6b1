"""What `make dist` has made, and an environment that has nothing but that."""

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from release.__main__ import REPOSITORY

DIST = REPOSITORY / "results" / "dist"
# What `p4abs demo` calls; there is no compiler among it.
TOOLS = ("ip", "unshare", "nsenter", "setpriv", "sh", "sleep")
TIMEOUT_S = 600

P4abs = Callable[..., list[str]]


@pytest.fixture(scope="session")
def dist() -> Path:
    if not (DIST / "SHA256SUMS").exists():
        pytest.skip("make dist has made nothing yet")
    return DIST


@pytest.fixture(scope="session")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a new environment that all wheels were installed into."""
    return environment(tmp_path_factory, *dist.glob("p4abs[-_]*-any.whl"), switch_wheel(dist))


@pytest.fixture(scope="session")
def switch_alone(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with the switch's wheel alone."""
    return environment(tmp_path_factory, switch_wheel(dist))


def switch_wheel(dist: Path) -> Path:
    """That for this machine."""
    [wheel] = dist.glob(f"p4abs_switch-*_{platform.machine()}.whl")
    return wheel


def environment(factory: pytest.TempPathFactory, *wheels: Path) -> Path:
    """The folder of programs of a new environment with these wheels and what they need."""
    folder = factory.mktemp("environment")
    subprocess.run([Path(sys.base_prefix, "bin", "python3"), "-m", "venv", folder], check=True)
    for tool in TOOLS:
        path = shutil.which(tool)
        assert path is not None
        (folder / "bin" / tool).symlink_to(path)
    # Packages that a released one needs come from where pip looks; none may need a compiler.
    pip = (folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:")
    subprocess.run(
        [*pip, *wheels],
        env=os.environ | {"PATH": str(folder / "bin")},
        check=True,
        timeout=TIMEOUT_S,
    )
    return folder / "bin"

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
    """The folder of programs of a new environment that p4abs-switch was installed into."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([Path(sys.base_prefix, "bin", "python3"), "-m", "venv", folder], check=True)
    for tool in TOOLS:
        path = shutil.which(tool)
        assert path is not None
        (folder / "bin" / tool).symlink_to(path)
    # Packages that a released one needs come from where pip looks; none may need a compiler.
    pip = (folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:")
    wheels = [*dist.glob("p4abs-*.whl"), *dist.glob(f"p4abs_switch-*_{platform.machine()}.whl")]
    assert len(wheels) == 2
    subprocess.run(
        [*pip, *wheels],
        env=os.environ | {"PATH": str(folder / "bin")},
        check=True,
        timeout=TIMEOUT_S,
    )
    return folder / "bin"

"""Builds the simulator, p4abs_experiments._ns3, from ns3/, and _tofino beside it from tofino/.

They need ns-3 (Debian package libns3-dev) and the static library of switch/capi, which is looked
for in the directory that P4ABS_PIPELINE_LIBRARY names, or where cargo puts it.
"""

import os
import re
import sys
from pathlib import Path

from pybind11.setup_helpers import ParallelCompile, Pybind11Extension, build_ext
from setuptools import setup

HERE = Path(__file__).resolve().parent
SWITCH = HERE.parent / "switch"
LIBRARY = "libp4abs_pipeline.a"
NS3_LIBRARIES = ["internet", "traffic-control", "network", "core"]


def ns3_version() -> str:
    """Of the installed ns-3, which must be there."""
    files = list(Path("/usr").glob("lib*/*/pkgconfig/ns3-core.pc"))
    if not files or not Path("/usr/include/ns3/simulator.h").exists():
        sys.exit("ns-3 is missing: install the Debian package libns3-dev")
    match = re.search(r"^Version: *(\S+)", files[0].read_text(), re.MULTILINE)
    return match.group(1) if match else "unknown"


def pipeline_directory() -> Path:
    """Where the static library is."""
    cargo = os.environ.get("CARGO_TARGET_DIR", str(SWITCH / "target"))
    directory = Path(os.environ.get("P4ABS_PIPELINE_LIBRARY", Path(cargo, "release")))
    if not (directory / LIBRARY).exists():
        sys.exit(
            f"{directory / LIBRARY} is missing: cargo build --release -p capi in switch/,"
            " or name its directory in P4ABS_PIPELINE_LIBRARY"
        )
    return directory


def extension(folder: str) -> Pybind11Extension:
    """The module of a folder of sources, which is called as the folder is."""
    version = ns3_version()
    pipeline = pipeline_directory() / LIBRARY
    # Paths relative to this file: setuptools refuses absolute sources.
    sources = sorted(str(path.relative_to(HERE)) for path in (HERE / folder).rglob("*.cc"))
    headers = sorted(str(path.relative_to(HERE)) for path in (HERE / folder).rglob("*.h"))
    return Pybind11Extension(
        f"p4abs_experiments._{folder}",
        sources,
        include_dirs=[str(HERE / folder), str(SWITCH / "capi" / "include")],
        libraries=[f"ns3-{name}" for name in NS3_LIBRARIES],
        extra_objects=[str(pipeline)],
        depends=[*headers, str(pipeline)],
        define_macros=[("NS3_VERSION", f'"{version}"')],
        extra_compile_args=["-O3", "-Wall", "-Wextra"],
        # The static library brings the whole standard library of Rust.
        extra_link_args=["-Wl,--gc-sections,--exclude-libs,ALL,--strip-all"],
        cxx_std=17,
    )


def is_stale(compiled: str, source: str) -> bool:
    """Whether an object file is older than its source or any header of the same module."""
    headers = (HERE / Path(source).parts[0]).rglob("*.h")
    newest = max(path.stat().st_mtime for path in (Path(source), *headers))
    return not Path(compiled).exists() or Path(compiled).stat().st_mtime < newest


ParallelCompile(needs_recompile=is_stale).install()
setup(ext_modules=[extension("ns3"), extension("tofino")], cmdclass={"build_ext": build_ext})

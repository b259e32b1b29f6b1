"""Builds the simulator, p4abs_experiments._ns3, from ns3/, and _tofino beside it from tofino/.

They need ns-3 (Debian package libns3-dev) and the static library of switch/capi, which is looked
for in the directory that P4ABS_PIPELINE_LIBRARY names, or where cargo puts it.
"""

import os
import re
import sys
from pathlib import Path

from pybind11.setup_helpers import ParallelCompile, Pybind11Extension, build_ext
from setuptools import Extension, setup

HERE = Path(__file__).resolve().parent
SWITCH = HERE.parent / "switch"
LIBRARY = "libp4abs_pipeline.a"
# Sources include most of them, and thousands of lines with each.
NS3_HEADERS = [
    "ns3/node.h",
    "ns3/nstime.h",
    "ns3/object-factory.h",
    "ns3/queue-disc.h",
    "ns3/simulator.h",
    "ns3/tcp-congestion-ops.h",
    "ns3/tcp-socket-state.h",
]
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


# It passes values between Python and C++, once in each interval of control and not for each packet.
# So -O1 is enough, which compiles it in less time.
BINDINGS = "module.cc"


class BuildExtension(build_ext):
    """Compiles what the sources of _ns3 include of ns-3 once for all of them, and BINDINGS at
    -O1."""

    def build_extensions(self) -> None:
        """See build_ext."""
        compile_as_asked = self.compiler._compile

        def compile_one(
            compiled: str,
            source: str,
            suffix: str,
            compiler_options: list[str],
            options: list[str],
            macros: list[str],
        ) -> None:
            if Path(source).name == BINDINGS:
                options = [*options, "-O1"]
            compile_as_asked(compiled, source, suffix, compiler_options, options, macros)

        self.compiler._compile = compile_one
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        """With a compiled header before each source; a compiler that cannot use it reads it."""
        if ext.name.endswith("_ns3"):
            header = Path(self.build_temp, "ns3.h")
            header.parent.mkdir(parents=True, exist_ok=True)
            header.write_text("".join(f"#include <{name}>\n" for name in NS3_HEADERS))
            self._precompile(header, ext)
            ext.extra_compile_args += ["-include", str(header)]
        super().build_extension(ext)

    def _precompile(self, header: Path, ext: Extension) -> None:
        folders = [f"-I{folder}" for folder in (*ext.include_dirs, *self.include_dirs)]
        macros = [f"-D{name}={value}" for name, value in ext.define_macros]
        options = [*folders, *macros, *ext.extra_compile_args, "-x", "c++-header"]
        compiler = self.compiler.compiler_so_cxx
        self.spawn([*compiler, *options, str(header), "-o", f"{header}.gch"])


def is_stale(compiled: str, source: str) -> bool:
    """Whether an object file is older than its source or any header of the same module."""
    headers = (HERE / Path(source).parts[0]).rglob("*.h")
    newest = max(path.stat().st_mtime for path in (Path(source), *headers))
    return not Path(compiled).exists() or Path(compiled).stat().st_mtime < newest


ParallelCompile(needs_recompile=is_stale).install()
setup(ext_modules=[extension("ns3"), extension("tofino")], cmdclass={"build_ext": BuildExtension})

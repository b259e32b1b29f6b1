"""Families of programs: what each compiler makes of some of the P4 sources, and how."""

import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


class ProductError(Exception):
    """A product is missing, stale, or cannot be made; the message says which and what to do."""


@dataclass(frozen=True)
class Family:
    """Programs are named below the sources' folder, products and digest below the products' one.

    compile_into: takes both folders; writes the products, raises ProductError.
    """

    compiler: str
    programs: tuple[str, ...]
    products: tuple[str, ...]
    digest: str
    compile_into: Callable[[Path, Path], None]

    def compiler_version(self) -> str | None:
        """The compiler's version, or None where there is no compiler. Raises ProductError."""
        if shutil.which(self.compiler) is None:
            return None
        command = [self.compiler, "--version"]
        # p4c answers on standard error, its path first: no part of a version.
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        versions = [line for line in said.stdout.splitlines() if line.startswith("Version ")]
        if said.returncode != 0 or len(versions) != 1:
            raise ProductError(
                f"{self.compiler} --version does not tell its version: {said.stdout.strip()}"
            )
        return f"{self.compiler} {versions[0].removeprefix('Version ')}"


def _run_compiler(command: list[str], program: str, sources: Path) -> None:
    """Raises ProductError with what the compiler says, also where it only warns."""
    result = subprocess.run(command, cwd=sources, capture_output=True, text=True)
    if result.returncode != 0 or "warning" in result.stderr:
        raise ProductError(f"{command[0]} {program}:\n{result.stderr.strip()}")


_BMV2_COMPILER = "p4c-bm2-ss"
_BMV2_BUILDS = ("queue", "virtual_queue")


def _compile_for_bmv2(sources: Path, products: Path) -> None:
    """BMv2's JSON and P4Info. Paths are relative, so products do not depend on the machine."""
    for build in _BMV2_BUILDS:
        p4info = str(products / f"{build}.p4info.txtpb")
        json = str(products / f"{build}.json")
        program = f"v1model/{build}.p4"
        command = [
            _BMV2_COMPILER,
            "--std",
            "p4-16",
            "--p4runtime-files",
            p4info,
            "-o",
            json,
            program,
        ]
        _run_compiler(command, program, sources)


BMV2 = Family(
    compiler=_BMV2_COMPILER,
    programs=tuple(f"v1model/{build}.p4" for build in _BMV2_BUILDS),
    products=tuple(
        f"{build}{suffix}" for build in _BMV2_BUILDS for suffix in (".json", ".p4info.txtpb")
    ),
    digest="sources.sha256",
    compile_into=_compile_for_bmv2,
)

FAMILIES = (BMV2,)

"""Runs p4c's packet tests on BMv2 with p4c's own driver and stores how they ended.

    python -m p4abs_switch.stf.peer P4C PROGRAMS RESULTS.json

P4C is a checkout of p4c; its v1model programs, and those in P4_14, that have a test are compiled to
PROGRAMS on the way, and their tests copied there.
Needs p4c-bm2-ss, simple_switch and simple_switch_CLI on PATH, and the Python packages `ply`, `ptf`
and `thrift`. A test takes seconds; one that RESULTS.json has already is not run again.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from p4abs_switch.command_line.run import run as run_command
from p4abs_switch.errors import UserError

COMPILER, _SWITCH = "p4c-bm2-ss", "simple_switch"
_PROGRAMS = (COMPILER, _SWITCH, "simple_switch_CLI")
_COMPILE_TIMEOUT_S, _TEST_TIMEOUT_S = 60, 150
_MEANS_FAILURE = ("ERROR:", "error:")


@dataclass(frozen=True, slots=True)
class Sample:
    """A program of p4c's that has a test; `options` are the compiler's for its language."""

    name: str
    source: Path
    options: tuple[str | Path, ...]

    @property
    def test(self) -> Path:
        return self.source.with_suffix(".stf")


@click.command()
@click.argument("p4c", type=click.Path(path_type=Path, resolve_path=True))
@click.argument("programs", type=click.Path(path_type=Path, resolve_path=True))
@click.argument("results", type=click.Path(path_type=Path, resolve_path=True))
def main(p4c: Path, programs: Path, results: Path) -> None:
    """Runs the packet tests of the checkout P4C on BMv2; see this module's first lines."""
    check(p4c)
    programs.mkdir(parents=True, exist_ok=True)
    done: dict[str, str | None] = {}
    if results.exists():
        done = json.loads(results.read_text())["results"]
    for sample in samples_with_tests(p4c):
        _compile(sample, programs)
        if sample.name not in done:
            done[sample.name] = _run_on_bmv2(p4c, sample)
            _store(results, done)
            print(f"{sample.name}: {done[sample.name] or 'passed'}", flush=True)


def check(p4c: Path) -> None:
    """Raises UserError if something is not there that the tests need."""
    if not samples(p4c).is_dir():
        raise UserError(f"{p4c}: no checkout of p4c: no {samples(p4c).relative_to(p4c)} in it")
    if missing := [program for program in _PROGRAMS if shutil.which(program) is None]:
        raise UserError(f"not on PATH: {', '.join(missing)}")


def samples_with_tests(p4c: Path) -> list[Sample]:
    """p4c's v1model programs, and those in P4_14, that have a test; by name."""
    return sorted((*_samples_of_p4_16(p4c), *_samples_of_p4_14(p4c)), key=lambda each: each.name)


def _samples_of_p4_16(p4c: Path) -> Iterator[Sample]:
    options = ("--arch", "v1model", "-I", p4c / "p4include")
    for source in _tested_sources(samples(p4c)):
        if "v1model.p4" in source.read_text():
            yield Sample(source.stem, source, options)


def _samples_of_p4_14(p4c: Path) -> Iterator[Sample]:
    """Under names of their own: some are those of programs in P4_16."""
    options = ("--std", "p4-14", "-I", p4c / "p4_14include", "-I", p4c / "p4include")
    for source in _tested_sources(p4c / "testdata" / "p4_14_samples"):
        yield Sample(f"p4_14-{source.stem}", source, options)


def _tested_sources(folder: Path) -> Iterator[Path]:
    sources = (test.with_suffix(".p4") for test in folder.glob("*.stf"))
    return (source for source in sources if source.is_file())


def samples(p4c: Path) -> Path:
    """The folder of p4c's sample programs in P4_16 and their tests."""
    return p4c / "testdata" / "p4_16_samples"


def _compile(sample: Sample, programs: Path) -> None:
    """Compiles a program unless that is done; one that p4c refuses is left out."""
    product = programs / f"{sample.name}.json"
    if product.exists():
        return
    shutil.copy(sample.test, product.with_suffix(".stf"))
    command = (COMPILER, *sample.options, "-o", product, sample.source)
    subprocess.run(command, capture_output=True, timeout=_COMPILE_TIMEOUT_S)


def _run_on_bmv2(p4c: Path, sample: Sample) -> str | None:
    """Runs a test with p4c's driver; None when it passed, else the driver's reason."""
    with tempfile.TemporaryDirectory(prefix="stf-bmv2-") as name:
        folder = Path(name)
        driver = (sys.executable, p4c / "backends" / "bmv2" / "run-bmv2-test.py", p4c)
        folders = ("--buildir", _build_folder(folder), "--testdir", folder)
        command: list[str | Path] = [*driver, *folders, *_includes(sample), sample.source]
        try:
            run = subprocess.run(
                command,
                cwd=folder,
                env=_environment(),
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_TEST_TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            return f"no end within {_TEST_TIMEOUT_S} s"
    return None if run.returncode == 0 else _reason(run.stdout)


def _includes(sample: Sample) -> tuple[str, ...]:
    """As the driver's options; it finds out the language by itself."""
    return tuple(f"-a=-I{option}" for option in sample.options if isinstance(option, Path))


def _build_folder(folder: Path) -> Path:
    """What the driver takes for p4c's build: that BMv2 is there, and the compiler on PATH."""
    build = folder / "build"
    build.mkdir()
    (build / "config.h").write_text("#define HAVE_SIMPLE_SWITCH 1\n")
    compiler = subprocess.run(("which", COMPILER), capture_output=True, text=True, check=True)
    (build / COMPILER).symlink_to(compiler.stdout.strip())
    return build


def _environment() -> Mapping[str, str]:
    """BMv2's command line runs with the system's Python, which may lack this one's packages."""
    packages = (path for path in sys.path if path.endswith("-packages"))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(packages)}


def _reason(output: str) -> str:
    lines = [line for line in output.splitlines() if any(mark in line for mark in _MEANS_FAILURE)]
    return lines[0].removeprefix("ERROR: ") if lines else "failed without a word"


def _store(results: Path, done: Mapping[str, str | None]) -> None:
    versions = {"compiler": f"p4c {_version(COMPILER)}", "switch": f"BMv2 {_version(_SWITCH)}"}
    results.write_text(json.dumps({**versions, "results": done}, indent=1) + "\n")


def _version(program: str) -> str:
    run = subprocess.run((program, "--version"), capture_output=True, text=True, check=True)
    found = re.search(r"\d+(\.\d+)+", run.stdout + run.stderr)
    return found[0] if found else "of unknown version"


if __name__ == "__main__":
    run_command(main, "conformance")

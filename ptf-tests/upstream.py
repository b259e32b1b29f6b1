"""Makes programs of other projects adaptive and runs the packet tests on them.

Each patch of p4src/examples is applied to a copy of what a checkout has, which stays as it is. The
copy is compiled, and `run.py` tests it. Copies and products go to results/ptf/upstream.

Exit status: 0 all passed, 1 some did not, 2 the tests could not be run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from p4abs.cli import run as run_command
from p4abs.errors import UserError

from absptf.capabilities import BASIC, MIDDLEBLOCK
from absptf.targets import TARGETS
from run import LOGS, ROOT

SOURCES = ROOT / "p4src"
COPIES = LOGS / "upstream"


@dataclass(frozen=True)
class Example:
    """A program of a checkout, and how it is compiled.

    folder: what the patch changes is in it. program: below the checkout.
    """

    name: str
    folder: str
    program: str
    options: tuple[str, ...] = ()

    @property
    def patch(self) -> Path:
        return SOURCES / "examples" / f"{self.name}.patch"


TUTORIALS = Example(BASIC, "exercises/basic/solution", "exercises/basic/solution/basic.p4")
PINS = Example(
    MIDDLEBLOCK,
    "sai_p4",
    "sai_p4/instantiations/google/middleblock.p4",
    ("-DPLATFORM_BMV2",),
)
_CHECKOUT = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command()
@click.option("--tutorials", type=_CHECKOUT, help="A checkout of p4lang/tutorials.")
@click.option("--pins", type=_CHECKOUT, help="A checkout of sonic-net/sonic-pins.")
@click.option("--target", type=click.Choice([*TARGETS]), default="embedded", show_default=True)
def main(tutorials: Path | None, pins: Path | None, target: str) -> int:
    """Packet tests of other projects' programs, made adaptive."""
    given = [(TUTORIALS, tutorials), (PINS, pins)]
    chosen = [(example, checkout) for example, checkout in given if checkout is not None]
    if not chosen:
        raise UserError("no checkout: give --tutorials or --pins")
    programs = {example.name: made_adaptive(example, checkout) for example, checkout in chosen}
    statuses = [tested(name, program, target) for name, program in programs.items()]
    return max(statuses)


def made_adaptive(example: Example, checkout: Path) -> Path:
    """Compiles a patched copy; the JSON, with its P4Info beside it. Raises UserError."""
    if not (checkout / example.program).is_file():
        raise UserError(f"{checkout}: no {example.program} in it")
    copy = COPIES / example.name
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(checkout / example.folder, copy / example.folder)
    revision = example.patch.read_text().splitlines()[0]
    # A repository around the copy would make git look for the files in it.
    bounds = {"GIT_CEILING_DIRECTORIES": str(copy.parent)}
    _run(
        ["git", "apply", "--unidiff-zero", str(example.patch)],
        copy,
        f"{example.patch.name} does not fit {checkout}; it is for {revision}",
        **bounds,
    )
    product = copy / f"{example.name}.json"
    command = ["p4c-bm2-ss", "--std", "p4-16", *example.options, "-I", str(SOURCES)]
    command += ["--p4runtime-files", str(product.with_suffix(".p4info.txtpb"))]
    _run([*command, "-o", str(product), example.program], copy, f"{example.name} does not compile")
    return product


def tested(name: str, program: Path, target: str) -> int:
    """What `run.py` ends with."""
    command = [sys.executable, str(Path(__file__).with_name("run.py")), "--target", target]
    return subprocess.run([*command, "--build", name, "--program", str(program)]).returncode


def _run(command: Sequence[str], folder: Path, complaint: str, **environment: str) -> None:
    """Raises UserError with the complaint and the last line of what the command says."""
    if shutil.which(command[0]) is None:
        raise UserError(f"{command[0]} is not on PATH")
    done = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        raise UserError(f"{complaint}: {done.stderr.strip().splitlines()[-1]}")


if __name__ == "__main__":
    run_command(main, "upstream")

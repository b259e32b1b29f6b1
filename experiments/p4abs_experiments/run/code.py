"""Digests of the code that results come from: whatever a process that simulates imports.

Such a process is asked once which modules it has imported: nobody lists or guesses them. The module
that simulates a cell, its simulator, is named by `simulator_of`.
"""

import ast
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from p4abs.errors import UserError

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.network.priorities import shares_limits
from p4abs_experiments.network.tofino import has_tofinos
from p4abs_experiments.simulation.program import P4_PROGRAM, QUEUES_PROGRAM
from p4abs_experiments.simulation.tofino.program import TOFINO_PROGRAM

PROGRAMS = (P4_PROGRAM, QUEUES_PROGRAM, TOFINO_PROGRAM)

COMPILED_FROM = (
    "experiments/ns3",
    "experiments/tofino",
    "switch/codegen/src",
    "switch/pipeline/src",
    "switch/capi/src",
    "switch/capi/include",
)
"""What the compiled modules are made from, but for ns-3: C++, and Rust for the P4 engine in it."""

_REPOSITORY = Path(__file__).resolve().parents[3]

_SIMULATION = "p4abs_experiments.simulation"
SIMULATORS = {
    f"{_SIMULATION}.simulate": "simulate",
    f"{_SIMULATION}.sharing.simulate": "simulate_sharing",
    f"{_SIMULATION}.tofino.simulate": "simulate_behind_tofinos",
}
"""The modules that simulate a cell, and their functions that do."""

_IMPORTING = """
import importlib, json, sys
from p4abs.policies import POLICIES
importlib.import_module(sys.argv[1])
dict(POLICIES)
print(json.dumps({
    name: module.__file__ for name, module in sorted(sys.modules.items())
    if name.partition(".")[0] in ("p4abs", "p4abs_experiments") and module.__file__ is not None
}))
"""


class NotInstalled(UserError):
    """The simulator cannot be imported; the message says why."""


def simulator_of(cell: Cell) -> str:
    """The one of SIMULATORS that runs the cell."""
    plain, sharing, tofino = SIMULATORS
    if shares_limits(cell.scenario):
        return sharing
    return tofino if has_tofinos(cell.scenario) else plain


@cache
def imported(simulator: str) -> dict[str, Path]:
    """The modules of the project in a process that simulates, and their files. Raises
    NotInstalled."""
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTING, simulator], capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        why = done.stderr.strip().rpartition("\n")[2]
        raise NotInstalled(f"the experiments are not installed ({why}); 'make setup' builds them")
    return {name: Path(file) for name, file in json.loads(done.stdout).items()}


def code_that_runs(simulator: str) -> str:
    """A digest of these files as they are now, compiled modules and P4 programs included."""
    files = [*imported(simulator).values(), *PROGRAMS]
    return _digest(f"{path.name} {_digest_of_file(path)}" for path in files)


def source_code_of(cells: Iterable[Cell]) -> dict[str, str]:
    """The source code of each simulator that the cells take, by its name."""
    return {name: source_code(name) for name in sorted(set(map(simulator_of, cells)))}


def todays() -> dict[str, str]:
    """The source code of every simulator as it is now."""
    return {name: source_code(name) for name in SIMULATORS}


def is_of(recorded: object, code: Mapping[str, str]) -> bool:
    """Whether `source_code_of` gave this with such source code of the simulators."""
    return isinstance(recorded, dict) and recorded.items() <= code.items()


def is_todays(recorded: object) -> bool:
    """Whether it would give this today."""
    return is_of(recorded, todays())


@cache
def source_code(simulator: str) -> str:
    """A digest that is the same on every machine: what compiled modules are made from stands for
    them. Comments and docstrings of Python change no result and count for nothing."""
    python = {name: path for name, path in imported(simulator).items() if path.suffix == ".py"}
    texts = (f"{name}\n{_statements(path.read_bytes())}" for name, path in python.items())
    files = (f"{path.name} {_digest_of_file(path)}" for path in [*_compiled_from(), *PROGRAMS])
    return _digest([*texts, *files])


def key_of(cell: Cell, code: str) -> str:
    """The store's key of a cell's result: what was simulated, and `code_that_runs`."""
    return _digest([simulation_json(cell), code])


def _compiled_from() -> Iterator[Path]:
    for folder in COMPILED_FROM:
        files = sorted((_REPOSITORY / folder).rglob("*"))
        yield from (path for path in files if path.suffix in {".cc", ".h", ".rs"})


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _digest_of_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# Simulators share most of their files.
@cache
def _statements(source: bytes) -> str:
    return ast.unparse(_WithoutDocstrings().visit(ast.parse(source)))


class _WithoutDocstrings(ast.NodeTransformer):
    def visit_Expr(self, node: ast.Expr) -> ast.Expr | None:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if is_text else node

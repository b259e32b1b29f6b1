"""Which source code results come from: digests that are the same on every machine.

The store's keys hold the compiled simulator, which every compiler makes differently. These hold
what it is compiled from, and tell whether checked-in results are those of the code beside them.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from p4abs.policies import POLICIES, Policy

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import adaptive_policies
from p4abs_experiments.run.imports import source_of
from p4abs_experiments.run.key import digest_of, policy_modules, simulator_modules
from p4abs_experiments.simulation.program import P4_PROGRAM

SIMULATOR = "simulator"
UNRECORDED = "not recorded"

_REPOSITORY = Path(__file__).resolve().parents[3]
_COMPILED = ("experiments/ns3", "switch/pipeline/src", "switch/capi/src", "switch/capi/include")
"""What the simulator is compiled from, but for ns-3: C++, and Rust for the P4 engine in it."""


def source_code_of(cells: Iterable[Cell]) -> dict[str, str]:
    """Digests by name: of the simulator, and of each policy that moves a limit in these cells.

    Raises PolicyError.
    """
    names = {policy.name for cell in cells for policy in adaptive_policies(cell.scenario)}
    return {name: _digest(name) for name in (SIMULATOR, *sorted(names))}


def changed_since(recorded: Mapping[str, str]) -> list[str]:
    """What of the recorded source code is not as it is today, by name; UNRECORDED where the
    simulator's is missing."""
    if SIMULATOR not in recorded:
        return [UNRECORDED]
    return [name for name, digest in recorded.items() if digest != _digest(name)]


def _digest(name: str) -> str:
    """Today's; "" for a policy that is no more."""
    if name == SIMULATOR:
        return digest_of([*_python(simulator_modules()), *_compiled(), P4_PROGRAM])
    return _policy_digest(POLICIES[name]) if name in POLICIES else ""


def _policy_digest(policy: type[Policy[Any]]) -> str:
    """Of a policy and its control loop, without what is the simulator's already."""
    return digest_of(_python(sorted({*policy_modules(policy)}.difference(simulator_modules()))))


def _python(modules: Iterable[str]) -> list[Path]:
    sources = (source_of(module) for module in modules)
    return [source for source in sources if source is not None and source.suffix == ".py"]


def _compiled() -> list[Path]:
    files = (path for folder in _COMPILED for path in (_REPOSITORY / folder).rglob("*"))
    return sorted(path for path in files if path.suffix in {".cc", ".h", ".rs"})

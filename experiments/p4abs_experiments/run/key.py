"""The store's key of a result: what was simulated, and the code that simulated it."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from p4abs.policies import Policy

from p4abs_experiments.network import P4Buffer
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.network.policies import adaptive_policies
from p4abs_experiments.network.priorities import shares_limits
from p4abs_experiments.network.tofino import has_tofinos
from p4abs_experiments.run.imports import modules_behind, source_of
from p4abs_experiments.simulation.program import P4_PROGRAM
from p4abs_experiments.simulation.tofino.program import TOFINO_PROGRAM

_SIMULATE = "p4abs_experiments.simulation.simulate"
_SIMULATE_TOFINOS = "p4abs_experiments.simulation.tofino.simulate"
_SIMULATE_SHARING = "p4abs_experiments.simulation.sharing.simulate"
_CONTROL = "p4abs_experiments.simulation.control"
_REGISTRY = "p4abs.policies.registry"
"""It imports every policy; a cell depends on those that its own links name."""


def key_of(cell: Cell) -> str:
    """SHA-256 of the simulation and of the code that it runs. Raises PolicyError.

    A fixed limit depends on no policy and not on the control loop.
    """
    digests = [simulator_digest()]
    if any(isinstance(link.buffer, P4Buffer) for link in cell.scenario.links):
        digests.append(_digest_of([P4_PROGRAM]))
    if has_tofinos(cell.scenario):
        digests += [_digest_of([TOFINO_PROGRAM]), _digest_of_modules(tofino_modules())]
    if shares_limits(cell.scenario):
        digests.append(_digest_of_modules(sharing_modules()))
    digests += [policy_digest(policy) for policy in adaptive_policies(cell.scenario)]
    return hashlib.sha256("\n".join([simulation_json(cell), *digests]).encode()).hexdigest()


@cache
def simulator_digest() -> str:
    """Of the compiled simulator (with the P4 engine in it) and of the Python around it."""
    return _digest_of_modules(simulator_modules())


@cache
def policy_digest(policy: type[Policy[Any]]) -> str:
    """Of a policy that adapts a limit, and of the control loop that it runs in."""
    return _digest_of_modules(policy_modules(policy))


def simulator_modules() -> list[str]:
    """The modules of `simulator_digest`, one of which is compiled."""
    return modules_behind(_SIMULATE, without=(_CONTROL, _REGISTRY))


def tofino_modules() -> list[str]:
    """What links behind Tofinos take beside the simulator; one module is compiled."""
    return _beside_the_simulator(_SIMULATE_TOFINOS)


def sharing_modules() -> list[str]:
    """What links that share a memory by limits take beside the simulator."""
    return _beside_the_simulator(_SIMULATE_SHARING)


def policy_modules(policy: type[Policy[Any]]) -> list[str]:
    """The modules of `policy_digest`."""
    return modules_behind(_CONTROL, policy.__module__, without=(_REGISTRY,))


def _beside_the_simulator(simulate: str) -> list[str]:
    behind = modules_behind(simulate, without=(_CONTROL, _REGISTRY))
    return sorted({*behind}.difference(simulator_modules()))


def _digest_of(paths: Iterable[Path]) -> str:
    text = "".join(f"{path.name} {_digest_of_file(path)}\n" for path in paths)
    return hashlib.sha256(text.encode()).hexdigest()


@cache
def _digest_of_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _digest_of_modules(modules: Iterable[str]) -> str:
    sources = (source_of(module) for module in modules)
    return _digest_of(source for source in sources if source is not None)

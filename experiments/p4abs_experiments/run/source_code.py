"""Which source code results come from: digests that are the same on every machine.

The store's keys hold the compiled simulator, which every compiler makes differently. These hold
what it is compiled from, and tell whether checked-in results are those of the code beside them.
Comments and docstrings of Python change no result and count for nothing.
"""

import hashlib
import io
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from p4abs.policies import POLICIES, Policy

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import adaptive_policies
from p4abs_experiments.network.priorities import shares_limits
from p4abs_experiments.network.tofino import has_tofinos
from p4abs_experiments.run.imports import source_of
from p4abs_experiments.run.key import (
    policy_modules,
    sharing_modules,
    simulator_modules,
    tofino_modules,
)
from p4abs_experiments.simulation.program import P4_PROGRAM
from p4abs_experiments.simulation.tofino.program import TOFINO_PROGRAM

SIMULATOR = "simulator"
TOFINO = "tofino"
SHARING = "sharing"
UNRECORDED = "not recorded"

_REPOSITORY = Path(__file__).resolve().parents[3]
_COMPILED = (
    "experiments/ns3",
    "switch/codegen/src",
    "switch/pipeline/src",
    "switch/capi/src",
    "switch/capi/include",
)
"""What the simulator is compiled from, but for ns-3: C++, and Rust for the P4 engine in it."""
_TOFINO_COMPILED = ("experiments/tofino",)
"""What its queue discs of Tofinos are compiled from beside that."""


def source_code_of(cells: Iterable[Cell]) -> dict[str, str]:
    """Digests by name: of the simulator, and of all `parts_of` these cells. Raises PolicyError."""
    return todays_digests([SIMULATOR, *sorted(set().union(*map(parts_of, cells)))])


def parts_of(cell: Cell) -> set[str]:
    """The names of the policies that move a limit in a cell, and TOFINO where a link is behind
    one, SHARING where links share a memory by limits. Raises PolicyError."""
    parts = {policy.name for policy in adaptive_policies(cell.scenario)}
    if has_tofinos(cell.scenario):
        parts.add(TOFINO)
    if shares_limits(cell.scenario):
        parts.add(SHARING)
    return parts


def todays_digests(names: Iterable[str]) -> dict[str, str]:
    """Digests by name, of the simulator and of parts; "" for a policy that is no more."""
    return {name: _digest(name) for name in names}


def changed_since(recorded: Mapping[str, str]) -> list[str]:
    """What of the recorded source code is not as it is today, by name; UNRECORDED where the
    simulator's is missing."""
    if SIMULATOR not in recorded:
        return [UNRECORDED]
    return [name for name, digest in recorded.items() if digest != _digest(name)]


def _digest(name: str) -> str:
    if name == SIMULATOR:
        return _digest_of([*_python(simulator_modules()), *_compiled(_COMPILED), P4_PROGRAM])
    if name == TOFINO:
        sources = [*_python(tofino_modules()), *_compiled(_TOFINO_COMPILED)]
        return _digest_of([*sources, TOFINO_PROGRAM])
    if name == SHARING:
        return _digest_of(_python(sharing_modules()))
    return _policy_digest(POLICIES[name]) if name in POLICIES else ""


def _policy_digest(policy: type[Policy[Any]]) -> str:
    """Of a policy and its control loop, without what is the simulator's already."""
    return _digest_of(_python(sorted({*policy_modules(policy)}.difference(simulator_modules()))))


def _python(modules: Iterable[str]) -> list[Path]:
    sources = (source_of(module) for module in modules)
    return [source for source in sources if source is not None and source.suffix == ".py"]


def _compiled(folders: Iterable[str]) -> list[Path]:
    files = (path for folder in folders for path in (_REPOSITORY / folder).rglob("*"))
    return sorted(path for path in files if path.suffix in {".cc", ".h", ".rs"})


def _digest_of(paths: Iterable[Path]) -> str:
    text = "".join(f"{path.name}\n{_code(path)}\n" for path in paths)
    return hashlib.sha256(text.encode()).hexdigest()


def _code(path: Path) -> str:
    """A file's text; of Python, a line for each word and sign of its statements."""
    text = path.read_text(encoding="utf-8")
    return "\n".join(_statements(text)) if path.suffix == ".py" else text


def _statements(text: str) -> Iterator[str]:
    """The tokens that are no comments and no docstrings."""
    skipped = {tokenize.COMMENT, tokenize.NL}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    words = [token for token in tokens if token.type not in skipped]
    begins = True
    for word, following in pairwise(words):
        alone = begins and following.type == tokenize.NEWLINE
        is_docstring = alone and word.type == tokenize.STRING
        if not is_docstring and word.type != tokenize.NEWLINE:
            yield word.string
        begins = word.type in {tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}

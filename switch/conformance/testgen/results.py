"""What is known of each program, in a file: a run that was broken off goes on where it was."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a test failed, None if it passed; alike: whether both sent the same frames anywhere."""

    here: str | None
    on_bmv2: str | None
    alike: bool


@dataclass(frozen=True, slots=True)
class Result:
    """Of one program.

    statements, covered: what it has and what its tests reach; obstacle: why it has no test.
    """

    tests: tuple[Verdict, ...]
    statements: int
    covered: int
    obstacle: str | None


Results = dict[str, Result]
"""By program."""


def load(path: Path) -> Results:
    """What is stored; nothing where there is no file. Raises OSError, ValueError and TypeError."""
    if not path.exists():
        return {}
    return {
        name: replace(Result(**of), tests=tuple(Verdict(**test) for test in of["tests"]))
        for name, of in json.loads(path.read_text()).items()
    }


def store(path: Path, results: Mapping[str, Result]) -> None:
    """Raises OSError."""
    growing = path.with_suffix(".part")
    growing.write_text(json.dumps(results, indent=1, default=asdict) + "\n")
    growing.rename(path)
